import { expect, it } from 'vitest';
import { loadSampleOnce } from '../../../tools/start/sample.ts';
import { startFaultServer } from '../../support/faultServer.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

it('says how much of the sample is loaded when the service refuses events', async () => {
  const server = await startFaultServer({ status: 202, body: { accepted: 0, rejected: 200, results: [] } });
  const base_url = server.begin('case');
  const printed: string[] = [];
  const noProgress = { start: () => undefined, update: () => undefined, stop: () => undefined };
  const tenants = [{ tenant_id: 'acme', name: 'Acme', api_keys: { admin: 'ask_test_key' } }];
  await loadSampleOnce({
    credentials: Object({ base_url, tenants }),
    dataDir: temporaryDirectory(),
    print: (line) => printed.push(line),
    progress: noProgress,
    stop: new AbortController().signal,
    now: Date.now,
  });
  server.close();

  expect(printed.join()).toContain('Only 0 of 3000 sample events are loaded.');
});
