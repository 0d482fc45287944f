import { afterEach, describe, expect, it, vi } from 'vitest';

const load = async (environment: Record<string, string>) => {
  vi.resetModules();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return import('../../../functions/platform/shared/settings.ts');
};

const production = {
  BASE_URL: 'https://api.example.com/',
  ENVIRONMENT: 'production',
  PUBLIC_CONTRACT: 'false',
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('settings', () => {
  it('removes the trailing slash of BASE_URL', async () => {
    const { settings } = await load(production);

    expect(settings).toMatchObject({ BASE_URL: 'https://api.example.com', PUBLIC_CONTRACT: false });
  });

  it.each(['RATE_LIMIT_SCALE', 'CLOCK_OFFSET_SECONDS', 'ROLLUPS_DELAY_SECONDS', 'WEBHOOK_RETRY_SCALE'])(
    'is refused with %s anywhere but locally',
    async (name) => {
      await expect(load({ ...production, [name]: '2' })).rejects.toThrow('local environment only');

      const { settings } = await load({ ...production, ENVIRONMENT: 'local', [name]: '2' });
      expect(settings).toMatchObject({ [name]: 2 });
    },
  );

  it.each([
    ['WEBHOOK_ALLOW_HOSTS', 'localhost:8443,127.0.0.1:9', ['localhost:8443', '127.0.0.1:9']],
    ['WEBHOOK_CA', 'a certificate', 'a certificate'],
    ['BILLS_OPENAI_URL', 'https://localhost:8443', 'https://localhost:8443'],
    ['BILLS_ANTHROPIC_URL', 'https://localhost:8443', 'https://localhost:8443'],
  ])(
    'is refused with %s anywhere but locally, where receivers and providers may be on the machine',
    async (name, given, read) => {
      for (const ENVIRONMENT of ['production', 'sandbox']) {
        await expect(load({ ...production, ENVIRONMENT, [name]: given })).rejects.toThrow(
          'local environment only',
        );
      }

      const { settings } = await load({ ...production, ENVIRONMENT: 'local', [name]: given });
      expect(settings).toMatchObject({ [name]: read });
    },
  );

  it.each([
    { BASE_URL: 'nowhere' },
    { ENVIRONMENT: 'staging' },
    { PUBLIC_CONTRACT: 'yes' },
    { ENVIRONMENT: 'local', RATE_LIMIT_SCALE: '0' },
  ])('throws at startup for %o', async (wrong) => {
    await expect(load({ ...production, ...wrong })).rejects.toThrow();
  });

  it('returns a declared resource and throws for any other', async () => {
    const { resource } = await load({
      ...production,
      TABLE_LEDGER: 'ledger-1',
      QUEUE_ACCEPTED_DEAD_LETTER: 'url',
    });

    expect(resource('table', 'ledger')).toBe('ledger-1');
    expect(resource('queue', 'acceptedDeadLetter')).toBe('url');
    expect(() => resource('table', 'claims')).toThrow('TABLE_CLAIMS is not set');
  });
});
