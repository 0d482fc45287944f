import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  type Credential,
  createClient,
  getCaller,
} from '../../sdk/typescript/src/index.ts';

/** A variable that is not set is undefined, which only the compiler refuses. */
const unset: string = JSON.parse('{}').ATTRIBUTION_API_KEY;
const id = 'cli_1';

describe('a client is not created', () => {
  it.each<[string, (value: string) => Credential]>([
    ['API key', (apiKey) => ({ apiKey })],
    ['token', (token) => ({ token })],
    ['client id', (clientId) => ({ clientId, clientSecret: 'secret' })],
    ['client secret', (clientSecret) => ({ clientId: id, clientSecret })],
  ])('with an unset, empty, blank or unprintable %s', (_, credentialOf) => {
    for (const value of [unset, '', ' ', '\n', 'two words', 'schlüssel']) {
      expect(() =>
        createClient({ baseUrl: 'https://api.example.com', credential: credentialOf(value) }),
      ).toThrow(ConfigurationError);
    }
  });
});

it.each([
  'https://api.example.com',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'http://localhost',
  '',
  '/api',
])('a client is created for "%s"', (baseUrl) => {
  expect(createClient({ baseUrl, credential: { apiKey: 'key' } }).baseUrl).toBe(baseUrl);
});

it('a token that a function gets is checked at each call', async () => {
  const client = createClient({
    baseUrl: 'https://api.example.com',
    credential: { token: async () => unset },
  });

  await expect(getCaller(client)).rejects.toBeInstanceOf(ConfigurationError);
});
