import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateRegistration } from '../../../functions/identity/credentials/clientRegistration.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';
import { clientAuthentications, type GrantType, grantTypes } from '../../../schemas/identity/oauthClient.ts';

const URI = 'https://app.example.com/callback';

/** The JSON Pointer of the first invalid member. Undefined if the registration is valid. */
const invalidMember = (request: Parameters<typeof validateRegistration>[0]): string | undefined => {
  try {
    validateRegistration(request);
    return undefined;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'VALIDATION_FAILED') {
      return error.options.errors?.[0]?.pointer;
    }
    throw error;
  }
};

describe('validateRegistration without grant_types', () => {
  it('defaults to client_credentials with client_secret_basic', () => {
    expect(validateRegistration({})).toEqual({
      grantTypes: ['client_credentials'],
      redirectUris: [],
      authentication: 'client_secret_basic',
    });
  });

  it('defaults to authorization_code and refresh_token if redirect_uris are given', () => {
    expect(validateRegistration({ redirect_uris: [URI], token_endpoint_auth_method: 'none' })).toEqual({
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [URI],
      authentication: 'none',
    });
  });
});

describe('validateRegistration', () => {
  it.each<[string, Parameters<typeof validateRegistration>[0], string]>([
    [
      'a public client with the default grant type client_credentials',
      { token_endpoint_auth_method: 'none' },
      '/grant_types',
    ],
    [
      'a public client with client_credentials',
      {
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'client_credentials'],
        redirect_uris: [URI],
      },
      '/grant_types',
    ],
    ['authorization_code without redirect_uris', { grant_types: ['authorization_code'] }, '/redirect_uris'],
    [
      'authorization_code with empty redirect_uris',
      { grant_types: ['authorization_code'], redirect_uris: [] },
      '/redirect_uris',
    ],
    [
      'redirect_uris without authorization_code',
      { grant_types: ['client_credentials'], redirect_uris: [URI] },
      '/redirect_uris',
    ],
    ['refresh_token alone', { grant_types: ['refresh_token'] }, '/grant_types'],
    [
      'refresh_token with client_credentials only',
      { grant_types: ['client_credentials', 'refresh_token'] },
      '/grant_types',
    ],
  ])('throws for %s', (_, request, pointer) => {
    expect(invalidMember(request)).toBe(pointer);
  });

  it('removes duplicates of grant types and redirect URIs', () => {
    const { grantTypes, redirectUris } = validateRegistration({
      grant_types: ['authorization_code', 'authorization_code'],
      redirect_uris: [URI, URI, `${URI}/`],
    });

    expect([grantTypes, redirectUris]).toEqual([['authorization_code'], [URI, `${URI}/`]]);
  });

  it('accepts only consistent registrations, and never client_credentials for a public client', () => {
    const requests = fc.record(
      {
        grant_types: fc.uniqueArray(fc.constantFrom<GrantType>(...grantTypes), { minLength: 1 }),
        redirect_uris: fc.uniqueArray(fc.constantFrom(URI, `${URI}/other`)),
        token_endpoint_auth_method: fc.constantFrom(...clientAuthentications),
      },
      { requiredKeys: [] },
    );

    fc.assert(
      fc.property(requests, (request) => {
        fc.pre(invalidMember(request) === undefined);
        const { grantTypes, redirectUris, authentication } = validateRegistration(request);
        const hasSignIn = grantTypes.includes('authorization_code');

        expect(redirectUris.length > 0).toBe(hasSignIn);
        if (authentication === 'none') expect(grantTypes).not.toContain('client_credentials');
        if (grantTypes.includes('refresh_token')) expect(hasSignIn).toBe(true);
        expect(grantTypes).toEqual(request.grant_types ?? grantTypes);
      }),
    );
  });
});
