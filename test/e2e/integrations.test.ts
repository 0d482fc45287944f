import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CoverageMap, IntegrationName } from '../../schemas/insight/coverage.ts';
import { apiManagementRow, bedrockRecord, litellmPayload, vertexRow } from '../ingest/formats/logs.ts';
import { logsInJson, tracesInJson } from '../ingest/otlp/messages.ts';
import { call } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const run = promisify(execFile);

let instance: Instance;
let keys: { admin: string; ingest: string };
/** Where the snippets run. */
let directory: string;

/** Stands in for the command line of a cloud, which prints rows of a log. */
const commandPrinting = (name: string, rows: readonly object[]): void => {
  writeFileSync(join(directory, `${name}.json`), JSON.stringify(rows));
  writeFileSync(join(directory, name), `#!/bin/sh\ncat ${name}.json\n`);
  chmodSync(join(directory, name), 0o755);
};

beforeAll(async () => {
  instance = await sharedInstance();
  keys = demoTenants(instance.credentials).acme.api_keys;
  directory = temporaryDirectory();
  const record = bedrockRecord({ requestId: randomUUID(), timestamp: new Date().toISOString() });
  writeFileSync(join(directory, 'invocations.json.gz'), gzipSync(JSON.stringify(record)));
  writeFileSync(join(directory, 'rows.sql'), '');
  const now = new Date().toISOString();
  commandPrinting('bq', [vertexRow({ logging_time: now.replace('T', ' ').replace('Z', '') })]);
  commandPrinting('az', [apiManagementRow({ TimeGenerated: now, RequestId: randomUUID() })]);
});
afterAll(() => instance?.stop());

const integrations = async () => {
  await instance.runtime.idle();
  const { status, body, text } = await call(instance.baseUrl, '/api/v1/coverage', { key: keys.admin });
  expect(status, text).toBe(200);
  return CoverageMap.parse(body).integrations;
};
const snippetOf = async (name: IntegrationName): Promise<string> => {
  const found = (await integrations()).find(({ integration }) => integration === name);
  return (found?.setup.snippet ?? '').replaceAll('YOUR_INGEST_KEY', keys.ingest);
};
const execute = async (script: string): Promise<string> => {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: directory,
    env: { ...process.env, PATH: `${directory}:${process.env['PATH']}` },
  });
  return stdout;
};

const nanoseconds = () => `${Date.now()}000000`;
/** What an exporter does with the variables of the snippet. */
const exportBy = (snippet: string, signal: 'traces' | 'logs', message: object) => `${snippet}
curl -s --fail-with-body "$OTEL_EXPORTER_OTLP_ENDPOINT/v1/${signal}" \
  -H "\${OTEL_EXPORTER_OTLP_HEADERS/=/: }" -H 'Content-Type: application/json' -d '${JSON.stringify(message)}'`;

// About 5 s.
it('each integration is live after its snippet was used as the coverage map says', async () => {
  expect((await integrations()).map(({ status }) => status)).toEqual(Array(7).fill('not_seen'));

  expect(await execute(await snippetOf('events_api'))).toContain('"queued"');
  for (const name of ['bedrock', 'vertex_ai', 'azure_api_management'] as const)
    expect(await execute(await snippetOf(name)), name).toContain('"accepted":1');
  const span = {
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 10,
    },
    start: nanoseconds(),
    end: nanoseconds(),
  };
  const traces = tracesInJson([{ items: [span] }]);
  expect(await execute(exportBy(await snippetOf('opentelemetry'), 'traces', traces))).toBe('{}');
  const request = {
    attributes: {
      'event.name': 'api_request',
      model: 'claude-sonnet-4-5',
      input_tokens: 18,
      output_tokens: 3,
    },
    time: nanoseconds(),
  };
  const logs = logsInJson([{ scope: 'com.anthropic.claude_code.events', items: [request] }]);
  expect(await execute(exportBy(await snippetOf('coding_agents'), 'logs', logs))).toBe('{}');
  const yaml = await snippetOf('litellm');
  const answer = await fetch(/endpoint: (\S+)/.exec(yaml)?.[1] ?? '', {
    method: 'POST',
    headers: { 'X-API-Key': /X-API-Key: (\S+)/.exec(yaml)?.[1] ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify([
      litellmPayload({ id: randomUUID(), startTime: Date.now() / 1_000, endTime: Date.now() / 1_000 }),
    ]),
  });
  expect(answer.status).toBe(202);

  expect(await integrations()).toMatchObject(
    IntegrationName.options.map((integration) => ({ integration, status: 'live' })),
  );
});
