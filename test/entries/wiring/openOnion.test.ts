import { beforeAll, expect, it, vi } from 'vitest';
import type { Onion } from '../../../functions/entries/wiring/unit.ts';
import { reply } from '../../../functions/http/reply.ts';
import { serve, someRoute } from '../../http/harness.ts';

let onion: Onion;

beforeAll(async () => {
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  vi.stubEnv('ENVIRONMENT', 'local');
  vi.stubEnv('PUBLIC_CONTRACT', 'true');
  // Loaded only now: settings are read when they are loaded.
  const { openOnion } = await import('../../../functions/entries/wiring/openOnion.ts');
  onion = openOnion();
  vi.unstubAllEnvs();
});

const ask = (access: 'public' | 'caller' | 'admin:config', headers = {}) =>
  serve(someRoute({ access }), () => reply(200, {}), { headers }, onion);

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
