import {
  type DocumentKey,
  type DocumentRange,
  listReadable,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { ApiKey } from './apiKey.ts';
import { OAuthClient } from './client.ts';
import { type Membership, Memberships } from './membership.ts';
import { normalizeEmail, User } from './user.ts';

const TAG_LENGTH = 8;

/** Partitioned by tenant and sorted by creation time. The key follows from the id, so no index is needed. */
const documentKeyOf = (kind: 'key' | 'client', id: string): DocumentKey => ({
  pk: `${kind}#${id.slice(0, TAG_LENGTH)}`,
  sk: id.slice(TAG_LENGTH),
});
const apiKeyDocumentKey = (keyId: string) => documentKeyOf('key', keyId.replace(/^key_/, ''));
const clientDocumentKey = (clientId: string) => documentKeyOf('client', clientId.replace(/^cli_/, ''));
const userDocumentKey = (tag: string, email: string): DocumentKey => ({
  pk: `user#${tag}`,
  sk: normalizeEmail(email),
});

const personDocumentKey = (email: string): DocumentKey => ({
  pk: `person#${normalizeEmail(email)}`,
  sk: 'tenants',
});

export interface CredentialReader {
  /** `keyId` with or without its prefix. */
  readonly apiKey: (keyId: string) => Promise<ApiKey | null>;
  readonly client: (clientId: string) => Promise<OAuthClient | null>;
  /** `tag` is the tenant tag. */
  readonly user: (tag: string, email: string) => Promise<User | null>;
}

/** For sign-ins that do not name a tenant. */
export interface MembershipReader {
  /** The tenants of a person, by e-mail address. */
  readonly memberships: (email: string) => Promise<readonly Membership[]>;
}

export const credentialReader = (table: string): CredentialReader & MembershipReader => ({
  apiKey: (keyId) => readDocument(table, apiKeyDocumentKey(keyId), ApiKey),
  client: (clientId) => readDocument(table, clientDocumentKey(clientId), OAuthClient),
  user: (tag, email) => readDocument(table, userDocumentKey(tag, email), User),
  memberships: async (email) => (await readDocument(table, personDocumentKey(email), Memberships)) ?? [],
});

/** The credentials of a tenant by creation time. `after` is the ULID of the last one of the previous page. */
export interface CredentialLists {
  readonly apiKeys: (tag: string, range: DocumentRange) => Promise<ApiKey[]>;
  readonly clients: (tag: string, range: DocumentRange) => Promise<OAuthClient[]>;
  /** By e-mail address. `after` is the address of the last user of the previous page. */
  readonly users: (tag: string, range: DocumentRange) => Promise<User[]>;
}

export const credentialLists = (table: string): CredentialLists => ({
  apiKeys: (tag, range) => listReadable(table, `key#${tag}`, range, ApiKey),
  clients: (tag, range) => listReadable(table, `client#${tag}`, range, OAuthClient),
  users: (tag, range) => listReadable(table, `user#${tag}`, range, User),
});

/** Reads with revisions, and the writes of a commit. */
export interface CredentialWriter {
  readonly apiKey: (keyId: string) => Promise<Versioned<ApiKey> | null>;
  readonly client: (clientId: string) => Promise<Versioned<OAuthClient> | null>;
  readonly user: (tag: string, email: string) => Promise<Versioned<User> | null>;
  readonly putApiKey: (key: ApiKey, options: WriteOptions) => Write;
  readonly putClient: (client: OAuthClient, options: WriteOptions) => Write;
  readonly putUser: (tag: string, user: User, options: WriteOptions) => Write;
  readonly memberships: (email: string) => Promise<Versioned<readonly Membership[]> | null>;
  readonly putMemberships: (
    email: string,
    memberships: readonly Membership[],
    options: WriteOptions,
  ) => Write;
}

export const credentialWriter = (table: string): CredentialWriter => ({
  apiKey: (keyId) => readVersioned(table, apiKeyDocumentKey(keyId), ApiKey),
  client: (clientId) => readVersioned(table, clientDocumentKey(clientId), OAuthClient),
  user: (tag, email) => readVersioned(table, userDocumentKey(tag, email), User),
  putApiKey: (key, options) => writeDocument(table, apiKeyDocumentKey(key.key_id), key, options),
  putClient: (client, options) => writeDocument(table, clientDocumentKey(client.client_id), client, options),
  putUser: (tag, user, options) => writeDocument(table, userDocumentKey(tag, user.email), user, options),
  memberships: (email) => readVersioned(table, personDocumentKey(email), Memberships),
  putMemberships: (email, memberships, options) =>
    writeDocument(table, personDocumentKey(email), memberships, options),
});
