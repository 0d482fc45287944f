import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OAuthClient } from '../../../../functions/identity/access/principals/client.ts';
import { hashSecret } from '../../../../functions/identity/access/principals/secret.ts';
import {
  isAuthentic,
  readClientCredentials,
} from '../../../../functions/identity/oauth/token/clientAuthentication.ts';
import { readForm } from '../../../../functions/identity/oauth/token/tokenRequest.ts';
import { errorOf } from '../oauthError.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const read = (form: string, authorization?: string) => readClientCredentials(readForm(form), authorization);

describe('readClientCredentials', () => {
  it('reads credentials from the form or from form-encoded HTTP Basic', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1 });

    fc.assert(
      fc.property(part, part, (clientId, clientSecret) => {
        const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString();
        const encoded = basic(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);

        expect(read(form)).toEqual({ clientId, clientSecret });
        expect(read('', encoded)).toEqual({ clientId, clientSecret });
      }),
    );
  });

  it('reads a public client by its id alone', () => {
    expect(read('client_id=c')).toEqual({ clientId: 'c', clientSecret: null });
  });

  it('accepts the same client id in both places', () => {
    expect(read('client_id=c', basic('c:s'))).toEqual({ clientId: 'c', clientSecret: 's' });
  });

  it.each([
    ['in two ways', 'client_id=c&client_secret=s', basic('c:s')],
    ['in two ways, once with an empty secret', 'client_secret=', basic('c:s')],
    ['with two client ids', 'client_id=other', basic('c:s')],
  ])('throws when the client authenticates %s', (_, form, authorization) => {
    expect(errorOf(() => read(form, authorization))).toBe('invalid_request');
  });

  it.each([
    ['no client', '', undefined],
    ['no client id', 'client_secret=s', undefined],
    ['another scheme', '', 'Bearer abc'],
    ['empty Basic', '', 'Basic '],
    ['Basic without a colon', '', basic('cs')],
    ['Basic that is not base64', '', 'Basic ***'],
    ['Basic without its padding', '', basic('c:s1').replace(/=+$/, '')],
    ['Basic with non-zero padding bits', '', 'Basic Yzp='],
    ['Basic with an invalid percent-encoding', '', basic('%zz:s')],
  ])('throws for %s', (_, form, authorization) => {
    expect(errorOf(() => read(form, authorization))).toBe('invalid_client');
  });

  it('names an authentication scheme in the 401 response', () => {
    for (const refusal of [() => read(''), () => read('', 'Bearer abc')]) {
      expect(refusal).toThrow(
        expect.objectContaining({
          options: expect.objectContaining({
            headers: { 'www-authenticate': expect.stringMatching(/^Basic /) },
          }),
        }),
      );
    }
  });
});

describe('isAuthentic', () => {
  const NOW = Date.parse('2026-05-01T12:00:00Z');
  const confidential: OAuthClient = {
    client_id: 'cli_1',
    tenant_id: 'acme',
    name: 'ci',
    scopes: ['ingest:write'],
    residency: null,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic',
    secrets: {
      current: hashSecret('current', randomBytes),
      previous: { ...hashSecret('previous', randomBytes), valid_until: new Date(NOW + 1).toISOString() },
    },
    created_by: 'key_1',
    created_at: '2026-01-01T00:00:00.000Z',
    deleted_at: null,
  };
  const open: OAuthClient = { ...confidential, secrets: null, token_endpoint_auth_method: 'none' };
  const deleted = { deleted_at: '2026-02-01T00:00:00.000Z' };

  it.each<[string, OAuthClient | null, string | null, number, boolean]>([
    ['confidential client with its secret', confidential, 'current', NOW, true],
    ['confidential client with its previous secret during the overlap', confidential, 'previous', NOW, true],
    [
      'confidential client with its previous secret after the overlap',
      confidential,
      'previous',
      NOW + 1,
      false,
    ],
    ['confidential client with another secret', confidential, 'guess', NOW, false],
    ['confidential client with an empty secret', confidential, '', NOW, false],
    ['confidential client without a secret', confidential, null, NOW, false],
    ['deleted client with its secret', { ...confidential, ...deleted }, 'current', NOW, false],
    ['public client without a secret', open, null, NOW, true],
    ['public client with a secret', open, 'guess', NOW, false],
    ['public client with an empty secret', open, '', NOW, false],
    ['deleted public client', { ...open, ...deleted }, null, NOW, false],
    ['unknown client', null, null, NOW, false],
    ['unknown client with a secret', null, 'guess', NOW, false],
  ])('%s: returns %5$s', (_, client, clientSecret, now, expected) => {
    expect(isAuthentic(client, { clientSecret }, now)).toBe(expected);
  });
});
