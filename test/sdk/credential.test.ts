import { describe, expect, it } from 'vitest';
import { ConfigurationError, type Credential, createClient } from '../../sdk/typescript/src/index.ts';

/** A variable that is not set is undefined, which only the compiler refuses. */
const unset: string = JSON.parse('{}').ATTRIBUTION_API_KEY;
const id = 'cli_1';

describe('a client is not created', () => {
  it.each<[string, (value: string) => Credential]>([
    ['API key', (apiKey) => ({ apiKey })],
    ['token', (token) => ({ token })],
    ['client id', (clientId) => ({ clientId, clientSecret: 'secret' })],
    ['client secret', (clientSecret) => ({ clientId: id, clientSecret })],
  ])('with an unset, empty or blank %s', (_, credentialOf) => {
    for (const value of [unset, '', ' ', '\n']) {
      expect(() =>
        createClient({ baseUrl: 'https://api.example.com', credential: credentialOf(value) }),
      ).toThrow(ConfigurationError);
    }
  });
});
