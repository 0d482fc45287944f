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
} from '../../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { ApiKey } from './apiKey.ts';
import { OAuthClient } from './client.ts';
import { type Membership, Memberships } from './membership.ts';
import { normalizeEmail, User } from './user.ts';

const TAG_LENGTH = 8;
/** Users that a list reads. A tenant has fewer than a hundred as a rule. */
const USERS_MAXIMUM = 100_000;

/**
 * Rows that hold the same credential. Each request reads one of them, and DynamoDB serves one row at most 3,000 times a
 * second: a plan allows 5,000 requests a second with one credential.
 */
const COPIES = 8;

/**
 * Partitioned by tenant and sorted by creation time. The key follows from the id, so no index is needed. The first copy is
 * the one that is listed.
 */
const documentKeyOf =
  (kind: 'key' | 'client', id: string) =>
  (copy: number): DocumentKey => ({
    pk: `${kind}#${id.slice(0, TAG_LENGTH)}${copy === 0 ? '' : `#${copy}`}`,
    sk: id.slice(TAG_LENGTH),
  });
const apiKeyDocumentKeys = (keyId: string) => documentKeyOf('key', keyId.replace(/^key_/, ''));
const clientDocumentKeys = (clientId: string) => documentKeyOf('client', clientId.replace(/^cli_/, ''));

/** Writes of all copies. They belong in one transaction, so that a revocation holds for every reader at once. */
const writeCopies = (
  table: string,
  keyOf: (copy: number) => DocumentKey,
  document: object,
  options: WriteOptions,
): Write[] =>
  Array.from({ length: COPIES }, (_, copy) => writeDocument(table, keyOf(copy), document, options));
/** Keys cannot be erased, so they have digests of addresses. Within a tenant, another one than in others. */
const addressDigest = (scope: string, email: string): string =>
  sha256Of('address', scope, normalizeEmail(email)).toString('base64url');
const userPartition = (tag: string): string => `user#${tag}`;
const userDocumentKey = (tag: string, email: string): DocumentKey => ({
  pk: userPartition(tag),
  sk: addressDigest(tag, email),
});
const personDocumentKey = (email: string): DocumentKey => ({
  pk: `person#${addressDigest('all tenants', email)}`,
  sk: 'tenants',
});

const anyCopy = (uniform: () => number): number => Math.floor(uniform() * COPIES);

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

/** `uniform` returns numbers from 0 to below 1. */
export const credentialReader = (
  table: string,
  uniform: () => number,
): CredentialReader & MembershipReader => ({
  apiKey: (keyId) => readDocument(table, apiKeyDocumentKeys(keyId)(anyCopy(uniform)), ApiKey),
  client: (clientId) => readDocument(table, clientDocumentKeys(clientId)(anyCopy(uniform)), OAuthClient),
  user: (tag, email) => readDocument(table, userDocumentKey(tag, email), User),
  memberships: async (email) => (await readDocument(table, personDocumentKey(email), Memberships)) ?? [],
});

/** The credentials of a tenant by creation time. `after` is the ULID of the last one of the previous page. */
export interface CredentialLists {
  readonly apiKeys: (tag: string, range: DocumentRange) => Promise<ApiKey[]>;
  readonly clients: (tag: string, range: DocumentRange) => Promise<OAuthClient[]>;
  /** All users, also removed ones, by e-mail address. */
  readonly users: (tag: string) => Promise<User[]>;
}

export const credentialLists = (table: string): CredentialLists => ({
  apiKeys: (tag, range) => listReadable(table, `key#${tag}`, range, ApiKey),
  clients: (tag, range) => listReadable(table, `client#${tag}`, range, OAuthClient),
  users: async (tag) => {
    const range = { descending: false, limit: USERS_MAXIMUM };
    const users = await listReadable(table, userPartition(tag), range, User);
    // Their keys are digests, whose order means nothing.
    return users.toSorted((one, other) => (one.email < other.email ? -1 : 1));
  },
});

/** Reads with revisions, and the writes of a commit. */
export interface CredentialWriter {
  readonly apiKey: (keyId: string) => Promise<Versioned<ApiKey> | null>;
  readonly client: (clientId: string) => Promise<Versioned<OAuthClient> | null>;
  readonly user: (tag: string, email: string) => Promise<Versioned<User> | null>;
  readonly putApiKey: (key: ApiKey, options: WriteOptions) => readonly Write[];
  readonly putClient: (client: OAuthClient, options: WriteOptions) => readonly Write[];
  readonly putUser: (tag: string, user: User, options: WriteOptions) => Write;
  readonly memberships: (email: string) => Promise<Versioned<readonly Membership[]> | null>;
  readonly putMemberships: (
    email: string,
    memberships: readonly Membership[],
    options: WriteOptions,
  ) => Write;
}

export const credentialWriter = (table: string): CredentialWriter => ({
  apiKey: (keyId) => readVersioned(table, apiKeyDocumentKeys(keyId)(0), ApiKey),
  client: (clientId) => readVersioned(table, clientDocumentKeys(clientId)(0), OAuthClient),
  user: (tag, email) => readVersioned(table, userDocumentKey(tag, email), User),
  putApiKey: (key, options) => writeCopies(table, apiKeyDocumentKeys(key.key_id), key, options),
  putClient: (client, options) => writeCopies(table, clientDocumentKeys(client.client_id), client, options),
  putUser: (tag, user, options) => writeDocument(table, userDocumentKey(tag, user.email), user, options),
  memberships: (email) => readVersioned(table, personDocumentKey(email), Memberships),
  putMemberships: (email, memberships, options) =>
    writeDocument(table, personDocumentKey(email), memberships, options),
});
