import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateRegistration } from '../../functions/credentials/clientRegistration.ts';
import { ProblemError } from '../../functions/shared/problem.ts';
import { clientAuthentications, type GrantType, grantTypes } from '../../schemas/access/oauthClient.ts';

const URI = 'https://app.example.com/callback';

/** The member a registration is refused for; undefined when it is taken. */
const faultIn = (request: Parameters<typeof validateRegistration>[0]): string | undefined => {
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

describe('a client that says nothing of its flows', () => {
  it('acts for itself, and proves itself with its secret', () => {
    expect(validateRegistration({})).toEqual({
      grantTypes: ['client_credentials'],
      redirectUris: [],
      authentication: 'client_secret_basic',
    });
  });

  it('signs users in once it says where they come back to', () => {
    expect(validateRegistration({ redirect_uris: [URI], token_endpoint_auth_method: 'none' })).toEqual({
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [URI],
      authentication: 'none',
    });
  });
});

describe('a registration', () => {
  it.each<[string, Parameters<typeof validateRegistration>[0], string]>([
    ['of a public client that acts for itself', { token_endpoint_auth_method: 'none' }, '/grant_types'],
    [
      'of a public client that also acts for itself',
      {
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'client_credentials'],
        redirect_uris: [URI],
      },
      '/grant_types',
    ],
    ['of a sign-in that leads nowhere', { grant_types: ['authorization_code'] }, '/redirect_uris'],
    [
      'of an empty list of ways back',
      { grant_types: ['authorization_code'], redirect_uris: [] },
      '/redirect_uris',
    ],
    [
      'of a way back that nobody takes',
      { grant_types: ['client_credentials'], redirect_uris: [URI] },
      '/redirect_uris',
    ],
    ['of a renewal of nothing', { grant_types: ['refresh_token'] }, '/grant_types'],
    [
      'of a renewal beside client credentials',
      { grant_types: ['client_credentials', 'refresh_token'] },
      '/grant_types',
    ],
  ])('%s is refused', (_, request, pointer) => {
    expect(faultIn(request)).toBe(pointer);
  });

  it('counts what is said twice once', () => {
    const { grantTypes, redirectUris } = validateRegistration({
      grant_types: ['authorization_code', 'authorization_code'],
      redirect_uris: [URI, URI, `${URI}/`],
    });

    expect([grantTypes, redirectUris]).toEqual([['authorization_code'], [URI, `${URI}/`]]);
  });

  it('that is taken can work, and lets nobody act as the client', () => {
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
        fc.pre(faultIn(request) === undefined);
        const { grantTypes, redirectUris, authentication } = validateRegistration(request);
        const signsIn = grantTypes.includes('authorization_code');

        expect(redirectUris.length > 0).toBe(signsIn);
        if (authentication === 'none') expect(grantTypes).not.toContain('client_credentials');
        if (grantTypes.includes('refresh_token')) expect(signsIn).toBe(true);
        expect(grantTypes).toEqual(request.grant_types ?? grantTypes);
      }),
    );
  });
});
