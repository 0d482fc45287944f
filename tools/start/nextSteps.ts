import { randomUUID } from 'node:crypto';
import type { Credentials } from './demo.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Commands that work when pasted into a second terminal. They read the keys from the file of the credentials, which only
 * its owner can read. The output of a start is often kept: by a terminal, a container or a build server.
 */
export const nextSteps = (baseUrl: string, credentialsFile: string, now = Date.now()): string => {
  const keyOf = (use: keyof Credentials['tenants'][number]['api_keys']): string =>
    `X-API-Key: $(node -p "require('${credentialsFile}').tenants[0].api_keys.${use}")`;
  const event = {
    event_id: randomUUID(),
    ingestion_layer: 'application',
    ingestion_timestamp: new Date(now).toISOString(),
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: 1_200,
    output_tokens: 350,
    attributed_service: 'ranking',
    attributed_identity: 'team-search',
  };
  // Reports take whole hours.
  const to = Math.floor(now / HOUR_MS) * HOUR_MS;
  const period = `from=${new Date(to - 7 * DAY_MS).toISOString()}&to=${new Date(to).toISOString()}`;
  return `Next steps

  Open the console, and sign in as a demo user
    ${baseUrl}/console

  Open the interactive reference
    ${baseUrl}/docs

  Send an event
    curl -s ${baseUrl}/api/v1/invocations -H "${keyOf('ingest')}" \\
      -H 'Idempotency-Key: ${event.event_id}' -H 'Content-Type: application/json' \\
      -d '${JSON.stringify(event)}'

  Read a report
    curl -s '${baseUrl}/v1/reports/usage?${period}&group_by=service' -H "${keyOf('read')}"
`;
};
