import { beginSession, readSession, type SessionReply } from './sessionApi.ts';

/**
 * Gives the access token of a session. The client of the API keeps it, and asks again when the service refuses it as
 * expired. Tokens are held in memory only. Several tabs may renew at once, because nothing rotates.
 */
export const accessTokens = ({ access_token: first }: SessionReply): (() => Promise<string>) => {
  let unused = first;
  return async () => {
    if (unused !== null) {
      const token = unused;
      unused = null;
      return token;
    }
    const next = (await readSession())?.access_token;
    if (next) return next;
    beginSession();
    throw new Error('The session has ended');
  };
};
