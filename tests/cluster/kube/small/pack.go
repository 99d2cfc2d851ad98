package main

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"runtime"
)

// pack writes a docker archive of one layer, the form that containerd imports.
func pack(image, rootfs, out string) error {
	layer, err := os.Open(rootfs)
	if err != nil {
		return err
	}
	defer layer.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, layer)
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH,
		"os":           "linux",
		"config": map[string]any{
			"Cmd": []string{"/small", "pause"},
			"Env": []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + hex.EncodeToString(sum.Sum(nil))}},
	})
	if err != nil {
		return err
	}
	digest := sha256.Sum256(config)
	name := hex.EncodeToString(digest[:]) + ".json"
	manifest, err := json.Marshal([]map[string]any{{"Config": name, "RepoTags": []string{image}, "Layers": []string{"layer.tar"}}})
	if err != nil {
		return err
	}
	if _, err := layer.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return writeArchive(out, name, config, manifest, layer, size)
}

func writeArchive(out, name string, config, manifest []byte, layer io.Reader, size int64) error {
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := tar.NewWriter(file)
	for _, entry := range []struct {
		name string
		body []byte
	}{{name, config}, {"manifest.json", manifest}} {
		if err := archive.WriteHeader(&tar.Header{Name: entry.name, Mode: 0o644, Size: int64(len(entry.body))}); err != nil {
			return err
		}
		if _, err := archive.Write(entry.body); err != nil {
			return err
		}
	}
	if err := archive.WriteHeader(&tar.Header{Name: "layer.tar", Mode: 0o644, Size: size}); err != nil {
		return err
	}
	if _, err := io.Copy(archive, layer); err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return file.Close()
}
