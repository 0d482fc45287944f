import { beginSession, readSession, type SessionReply } from './sessionApi.ts';

/**
 * The session of this browser has ended. The page is already on its way to a new sign-in, except while a dialog is open: its form
 * goes there when it is sent, so that a read in the background loses nothing that was typed.
 */
export class SessionEndedError extends Error {
  constructor() {
    super('Your session has ended. Close this dialog to sign in again.');
  }
}

const isSamePerson = (one: SessionReply, other: SessionReply): boolean =>
  one.user.id === other.user.id && one.tenant?.id === other.tenant?.id;

/**
 * Gives the access token of a session. The client of the API keeps it, and asks again when the service refuses it: it has
 * expired, or another tab signed in again, changed the tenant or signed out. Tokens are held in memory only. Several tabs
 * may renew at once, because nothing rotates. `onChange` receives a session of another person, tenant or role. A request of
 * the former person or tenant then fails, because its page does not show where it would go.
 */
export const accessTokens = (
  session: SessionReply,
  onChange: (next: SessionReply) => void,
): (() => Promise<string>) => {
  let unused = session.access_token;
  return async () => {
    if (unused !== null) {
      const token = unused;
      unused = null;
      return token;
    }
    const next = await readSession();
    if (next === null) {
      if (document.querySelector('dialog[open]') === null) beginSession();
      throw new SessionEndedError();
    }
    const isSame = isSamePerson(next, session);
    if (!isSame || next.user.role !== session.user.role) onChange(next);
    if (!isSame || next.access_token === null)
      throw new Error('Another tab of this browser changed the tenant or the person who is signed in.');
    return next.access_token;
  };
};
