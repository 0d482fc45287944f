import type { Integration, IntegrationName } from '../../../../schemas/insight/coverage.ts';

type Setup = Integration['setup'];

const KEY = 'YOUR_INGEST_KEY';

const setups: Readonly<Record<IntegrationName, (baseUrl: string) => Setup>> = {
  events_api: (baseUrl) => ({
    instruction: 'Send an event after each call. The TypeScript and Python clients do it in batches.',
    language: 'sh',
    snippet: `EVENT_ID=$(python3 -c 'import uuid; print(uuid.uuid4())')
curl ${baseUrl}/api/v1/invocations \\
  -H "X-API-Key: ${KEY}" -H "Idempotency-Key: $EVENT_ID" -H "Content-Type: application/json" \\
  -d '{
    "event_id": "'$EVENT_ID'",
    "ingestion_timestamp": "'$(date -u +%Y-%m-%dT%H:%M:%SZ)'",
    "ingestion_layer": "application",
    "provider": "openai",
    "requested_model": "gpt-4o",
    "input_tokens": 1200,
    "output_tokens": 300,
    "attributed_identity": "team-search"
  }'`,
  }),
  opentelemetry: (baseUrl) => ({
    instruction:
      'Point the exporter of an instrumented application here, with its service and the team that pays. Prompts in spans are skipped.',
    language: 'sh',
    snippet: `export OTEL_EXPORTER_OTLP_ENDPOINT=${baseUrl}/api/v1/otlp
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS=x-api-key=${KEY}
export OTEL_EXPORTER_OTLP_COMPRESSION=gzip
export OTEL_BSP_MAX_EXPORT_BATCH_SIZE=64
export OTEL_RESOURCE_ATTRIBUTES=service.name=checkout-assistant,team.id=team-commerce`,
  }),
  coding_agents: (baseUrl) => ({
    instruction:
      'Set these variables for Claude Code. Codex and Gemini CLI export their logs to the same endpoint.',
    language: 'sh',
    snippet: `export CLAUDE_CODE_ENABLE_TELEMETRY=1
export OTEL_LOGS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_ENDPOINT=${baseUrl}/api/v1/otlp
export OTEL_EXPORTER_OTLP_HEADERS=x-api-key=${KEY}
export OTEL_RESOURCE_ATTRIBUTES=team.id=platform,service.name=claude-code`,
  }),
  litellm: (baseUrl) => ({
    instruction: 'Add the callback to the configuration of the LiteLLM proxy.',
    language: 'yaml',
    snippet: `litellm_settings:
  callbacks: ["attribution"]
  turn_off_message_logging: true
callback_settings:
  attribution:
    callback_type: generic_api
    endpoint: ${baseUrl}/api/v1/call-logs
    headers:
      X-API-Key: ${KEY}`,
  }),
  bedrock: (baseUrl) => ({
    instruction:
      'Turn on model invocation logging to S3 or CloudWatch Logs. The guide has a stack that forwards each log. A log file can also be sent by hand.',
    language: 'sh',
    snippet: `curl ${baseUrl}/api/v1/call-logs \\
  -H "X-API-Key: ${KEY}" -H "Content-Type: application/x-ndjson" -H "Content-Encoding: gzip" \\
  --data-binary @invocations.json.gz`,
  }),
  vertex_ai: (baseUrl) => ({
    instruction:
      'Turn on request-response logging to BigQuery, and send the new rows here on a schedule. The guide has a query that leaves out the content.',
    language: 'sh',
    snippet: `bq query --use_legacy_sql=false --format=json --max_rows=5000 < rows.sql | curl ${baseUrl}/api/v1/call-logs \\
  -H "X-API-Key: ${KEY}" -H "Content-Type: application/json" --data-binary @-`,
  }),
  azure_api_management: (baseUrl) => ({
    instruction:
      'Send the generative AI gateway logs of API Management to Log Analytics, and the new rows of its table from there.',
    language: 'sh',
    snippet: `az monitor log-analytics query --workspace WORKSPACE_ID -o json \\
  --analytics-query 'ApiManagementGatewayLlmLog | where TimeGenerated > ago(1h) | project-away RequestMessages, ResponseMessages' \\
  | curl ${baseUrl}/api/v1/call-logs \\
  -H "X-API-Key: ${KEY}" -H "Content-Type: application/json" --data-binary @-`,
  }),
};

/** How to enable an integration of the service at `baseUrl`. */
export const setupOf = (integration: IntegrationName, baseUrl: string): Setup => setups[integration](baseUrl);
