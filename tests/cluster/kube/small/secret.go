package main

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const account = "/var/run/secrets/kubernetes.io/serviceaccount"

// makeSecret creates the Secret NAME in the pod's own namespace, as the pod's service account. One that exists is left alone.
func makeSecret(name, delay string, labels []string) error {
	wait, err := time.ParseDuration(delay)
	if err != nil {
		return err
	}
	time.Sleep(wait)
	namespace, err := os.ReadFile(filepath.Join(account, "namespace"))
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{
		"apiVersion": "v1",
		"kind":       "Secret",
		"metadata":   map[string]any{"name": name, "labels": labelMap(labels)},
		"stringData": map[string]string{"password": rand.Text()[:16]},
	})
	if err != nil {
		return err
	}
	return post("/api/v1/namespaces/"+string(namespace)+"/secrets", body)
}

func labelMap(pairs []string) map[string]string {
	labels := map[string]string{}
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		labels[key] = value
	}
	return labels
}

func post(path string, body []byte) error {
	authority, err := os.ReadFile(filepath.Join(account, "ca.crt"))
	if err != nil {
		return err
	}
	token, err := os.ReadFile(filepath.Join(account, "token"))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	request, err := http.NewRequest(http.MethodPost, "https://kubernetes.default.svc"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+string(token))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 && response.StatusCode != http.StatusConflict {
		return fmt.Errorf("POST %s: %s", path, response.Status)
	}
	return nil
}
