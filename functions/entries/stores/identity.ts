import {
  type GrantWriter,
  grantReader,
  grantWriter,
  type SessionWriter,
  sessionStore,
  signInStore,
} from '../../identity/access/grants/grant.store.ts';
import {
  credentialLists,
  credentialReader,
  credentialWriter,
} from '../../identity/access/principals/credential.store.ts';
import { auditLog, auditReader } from '../../identity/audit/audit.store.ts';

export const accessRead = (table: string) => ({ credentials: credentialReader(table, Math.random) });
export const accessList = (table: string) => ({ credentialLists: credentialLists(table) });
export const accessWrite = (table: string) => ({
  credentialWriter: credentialWriter(table),
});
export const grantsRead = (table: string) => ({ grants: grantReader(table) });
export const grantsStart = (table: string) => ({ signIns: signInStore(table) });
export const grantsSession = (table: string) => ({
  grantWriter: grantWriter(table),
  sessions: sessionStore(table),
});
/** Writes sessions, and does not read them. */
export const grantsWrite = (
  table: string,
): { readonly grantWriter: GrantWriter; readonly sessions: SessionWriter } => ({
  grantWriter: grantWriter(table),
  sessions: sessionStore(table),
});

export const auditAppend = (table: string) => ({ audit: auditLog(table) });
export const auditRead = (table: string) => ({ auditReader: auditReader(table) });
