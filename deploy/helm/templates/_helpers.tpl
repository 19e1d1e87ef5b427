{{/* What everything of a role is found by. */}}
{{- define "rookery.selector" -}}
app.kubernetes.io/name: rookery
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "rookery.labels" -}}
app.kubernetes.io/name: rookery
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
