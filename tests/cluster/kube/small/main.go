// Command small is what the cluster needs besides its servers: the program of the pause image, a stand-in for an operator
// that makes a Secret late, and the packer of images.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const usage = `small pause
small make-secret NAME DELAY [LABEL=VALUE…]    make a Secret with a random password after DELAY, then pause
small pack IMAGE ROOTFS.tar OUT.tar            wrap a root file system as a docker archive`

func main() {
	var err error
	args := os.Args[1:]
	switch {
	case len(args) == 0 || args[0] == "pause":
		pause()
	case args[0] == "make-secret" && len(args) >= 3:
		if err = makeSecret(args[1], args[2], args[3:]); err == nil {
			pause()
		}
	case args[0] == "pack" && len(args) == 4:
		err = pack(args[1], args[2], args[3])
	default:
		err = fmt.Errorf("usage:\n%s", usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// pause waits for the end; as process 1 of a pod it also collects the dead.
func pause() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for s := range signals {
		if s != syscall.SIGCHLD {
			return
		}
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
				break
			}
		}
	}
}
