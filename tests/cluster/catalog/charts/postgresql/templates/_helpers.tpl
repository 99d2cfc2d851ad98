{{- define "postgresql.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "postgresql.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "postgresql.selectorLabels" -}}
app.kubernetes.io/name: {{ include "postgresql.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "postgresql.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "postgresql.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* What was given, else what the Secret already holds, else something new: an upgrade never changes a password by itself. */}}
{{- define "postgresql.password" -}}
{{- $secret := lookup "v1" "Secret" .context.Release.Namespace (include "postgresql.fullname" .context) | default dict -}}
{{- $kept := dig "data" .key "" $secret | b64dec -}}
{{- .given | default $kept | default (randAlphaNum 10) -}}
{{- end -}}

{{- define "postgresql.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}

{{/* What primary and replicas have in common in their container. */}}
{{- define "postgresql.container" -}}
image: {{ include "postgresql.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
ports:
- {name: postgresql, containerPort: 5432}
startupProbe:
  exec: {command: [/usr/lib/postgresql/15/bin/pg_isready, -q, -h, 127.0.0.1]}
  periodSeconds: 1
  failureThreshold: 120
readinessProbe:
  tcpSocket: {port: postgresql}
  periodSeconds: 5
livenessProbe:
  tcpSocket: {port: postgresql}
  periodSeconds: 10
volumeMounts:
- {name: data, mountPath: /data}
- {name: scripts, mountPath: /scripts}
{{- end -}}

{{- define "postgresql.claim" -}}
metadata:
  name: data
  labels: {{- include "postgresql.selectorLabels" . | nindent 4 }}
spec:
  accessModes: [ReadWriteOnce]
  {{- with .Values.primary.persistence.storageClass }}
  storageClassName: {{ . | quote }}
  {{- end }}
  resources:
    requests:
      storage: {{ .Values.primary.persistence.size | quote }}
{{- end -}}
