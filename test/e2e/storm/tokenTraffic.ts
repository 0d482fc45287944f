import { expect } from 'vitest';
import { bearing, post, registerClient } from '../../support/signIn.ts';
import type { AdminInstance } from '../adminInstance.ts';
import { repeatUntilAccepted, sideBySide, type Traffic, trafficTenant } from './traffic.ts';

/** Access tokens. Half of them are revoked. */
export const tokenTraffic = async (api: AdminInstance): Promise<Traffic> => {
  const { key } = await trafficTenant(api, 'tokens');
  const client = await registerClient(
    api.instance,
    { grant_types: ['client_credentials', 'authorization_code'] },
    { key },
  );
  const kept: unknown[] = [];
  const revoked: unknown[] = [];
  const form = (endpoint: 'token' | 'revoke', members: Record<string, string>) =>
    repeatUntilAccepted(() => post(api.baseUrl, endpoint, client, members));
  const newToken = async () => (await form('token', { grant_type: 'client_credentials' }))['access_token'];
  const statusesOf = async (tokens: readonly unknown[]) =>
    new Set(await Promise.all(tokens.map(async (token) => (await bearing(api.baseUrl, token)).status)));
  return {
    send: async () => {
      await sideBySide(2, async () => {
        kept.push(await newToken());
        const token = await newToken();
        await form('revoke', { token: String(token) });
        revoked.push(token);
      });
    },
    check: async () => {
      expect(await statusesOf(kept)).toEqual(new Set([200]));
      expect(await statusesOf(revoked)).toEqual(new Set([401]));
    },
  };
};
