import { beforeAll, expect, it, vi } from 'vitest';
import type { Pipeline } from '../../../functions/entries/wiring/httpHandler.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { serve, testRoute } from '../../platform/http/harness.ts';

let pipeline: Pipeline;

beforeAll(async () => {
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  vi.stubEnv('ENVIRONMENT', 'local');
  vi.stubEnv('PUBLIC_CONTRACT', 'true');
  // Loaded here, because settings are read when the module is loaded.
  const { publicPipeline } = await import('../../../functions/entries/wiring/publicPipeline.ts');
  pipeline = publicPipeline();
  vi.unstubAllEnvs();
});

const ask = (access: 'public' | 'caller' | 'admin:config', headers = {}) =>
  serve(testRoute({ access }), () => reply(200, {}), { headers }, pipeline);

it('returns 200 on a public route', async () => {
  expect((await ask('public')).status).toBe(200);
});

it.each(['caller', 'admin:config'] as const)(
  'returns 401 on a route with access %s, with and without an API key',
  async (access) => {
    const answers = [await ask(access), await ask(access, { 'x-api-key': 'ask_good' })];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  },
);
