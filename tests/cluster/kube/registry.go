package main

import (
	"context"
	"crypto/subtle"
	"crypto/tls"
	"errors"
	"net/http"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory"
	"github.com/spf13/cobra"
)

// newRegistryCommand serves one OCI registry, kept in memory, behind three doors, and a folder of charts over plain HTTP:
//
//	:5000  a certificate that the cluster trusts
//	:5001  a certificate that nobody trusts
//	:5002  the trusted certificate, and only with the user and the password
//	:8080  the folder
func newRegistryCommand() *cobra.Command {
	var trusted, untrusted, charts, user, password string
	command := &cobra.Command{
		Use: "registry",
		RunE: func(cmd *cobra.Command, _ []string) error {
			registry := newRegistry(cmd.Context())
			ended := make(chan error)
			serve := func(address, certificate string, handler http.Handler) {
				go func() { ended <- serveTLS(address, certificate, handler) }()
			}
			serve(":5000", trusted, registry)
			serve(":5001", untrusted, registry)
			serve(":5002", trusted, requirePassword(user, password, registry))
			go func() { ended <- http.ListenAndServe(":8080", http.FileServer(http.Dir(charts))) }()
			return <-ended
		},
	}
	flags := command.Flags()
	flags.StringVar(&trusted, "trusted", "", "certificate and key, without .crt and .key")
	flags.StringVar(&untrusted, "untrusted", "", "certificate and key of :5001")
	flags.StringVar(&charts, "charts", "", "folder for :8080")
	flags.StringVar(&user, "user", "", "user for :5002")
	flags.StringVar(&password, "password", "", "password for :5002")
	return command
}

func newRegistry(ctx context.Context) http.Handler {
	config := &configuration.Configuration{
		Version: configuration.CurrentVersion,
		Storage: configuration.Storage{"inmemory": nil},
	}
	config.Log.Level = "warn"
	config.Log.AccessLog.Disabled = true
	config.HTTP.Secret = "only the signature of uploads under way"
	return handlers.NewApp(ctx, config)
}

func requirePassword(user, password string, next http.Handler) http.Handler {
	want := []byte(user + ":" + password)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, word, _ := r.BasicAuth()
		if subtle.ConstantTimeCompare([]byte(name+":"+word), want) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="private"`)
			http.Error(w, "user and password, please", http.StatusUnauthorized)
			return
		}
		// The registry below knows no users and would refuse a header that it cannot check.
		r.Header.Del("Authorization")
		next.ServeHTTP(w, r)
	})
}

func serveTLS(address, certificate string, handler http.Handler) error {
	if certificate == "" {
		return errors.New("no certificate for " + address)
	}
	server := &http.Server{Addr: address, Handler: handler, TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	return server.ListenAndServeTLS(certificate+".crt", certificate+".key")
}
