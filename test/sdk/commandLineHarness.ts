import { Writable } from 'node:stream';
import { afterAll, beforeAll } from 'vitest';
import { run } from '../../sdk/cli/src/run.ts';
import { createClient, postInvocationBatch } from '../../sdk/typescript/src/index.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

export let instance: Instance;
export let keys: { readonly admin: string; readonly ingest: string };
/** The configuration directory of a user who is logged in. */
export let home: string;

export const sink = (): { stream: Writable; text: () => string } => {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
};

/** Runs the command as a process would, without a terminal. */
export const attribution = async (
  args: readonly string[],
  { env = { XDG_CONFIG_HOME: home }, secret = '', signal = new AbortController().signal } = {} as {
    readonly env?: Record<string, string>;
    readonly secret?: string;
    readonly signal?: AbortSignal;
  },
) => {
  const [out, err] = [sink(), sink()];
  const code = await run(args, {
    env,
    stdout: out.stream,
    stderr: err.stream,
    readSecret: async () => secret,
    signal,
    now: Date.now,
  });
  return { code, out: out.text(), err: err.text() };
};

export const PRICED = '00000000-0000-4000-8000-00000000c1a1';
export const UNPRICED = '00000000-0000-4000-8000-00000000c1a2';

export const event = (event_id: string, change: object) => ({
  event_id,
  ingestion_layer: 'application' as const,
  ingestion_timestamp: new Date().toISOString(),
  provider: 'openai',
  requested_model: 'gpt-4o',
  input_tokens: 1_200,
  output_tokens: 350,
  attributed_service: 'ranking',
  ...change,
});

/** Starts the service with one call of a known and one of an unknown cost, and logs in. */
export const useCommandLine = (): void => {
  beforeAll(async () => {
    instance = await sharedInstance();
    keys = demoTenants(instance.credentials).acme.api_keys;
    home = temporaryDirectory();
    const client = createClient({ baseUrl: instance.baseUrl, credential: { apiKey: keys.admin } });
    await postInvocationBatch(client, {
      events: [
        event(PRICED, { attributed_identity: 'ann' }),
        event(UNPRICED, { attributed_identity: 'bob', requested_model: 'no-such-model' }),
      ],
    });
    await instance.runtime.idle({ delayed: true });
    await attribution(['login', '--base-url', instance.baseUrl], { secret: keys.admin });
  });
  afterAll(() => instance.stop());
};
