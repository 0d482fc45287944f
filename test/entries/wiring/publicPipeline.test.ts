import { beforeAll, expect, it, vi } from 'vitest';
import type { Pipeline } from '../../../functions/entries/wiring/httpHandler.ts';
import { reply } from '../../../functions/http/reply.ts';
import { serve, testRoute } from '../../http/harness.ts';

let pipeline: Pipeline;

beforeAll(async () => {
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  vi.stubEnv('ENVIRONMENT', 'local');
  vi.stubEnv('PUBLIC_CONTRACT', 'true');
  // Loaded only now: settings are read when they are loaded.
  const { publicPipeline } = await import('../../../functions/entries/wiring/publicPipeline.ts');
  pipeline = publicPipeline();
  vi.unstubAllEnvs();
});

const ask = (access: 'public' | 'caller' | 'admin:config', headers = {}) =>
  serve(testRoute({ access }), () => reply(200, {}), { headers }, pipeline);

it('lets everybody to a public route', async () => {
  expect((await ask('public')).status).toBe(200);
});

it.each(['caller', 'admin:config'] as const)(
  'lets nobody to a route for %s, with or without a key',
  async (access) => {
    const answers = [await ask(access), await ask(access, { 'x-api-key': 'ask_good' })];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  },
);
