import {
  type DocumentKey,
  type DocumentRange,
  listDocuments,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { ApiKey } from './apiKey.ts';
import { OAuthClient } from './client.ts';
import { emailKey, User } from './user.ts';

const TAG_LENGTH = 8;

/** Credentials lie by tenant in the order they were made; an id names its own place, so no index is needed. */
const placeOf = (kind: 'key' | 'client', id: string): DocumentKey => ({
  pk: `${kind}#${id.slice(0, TAG_LENGTH)}`,
  sk: id.slice(TAG_LENGTH),
});
const keyPlace = (keyId: string) => placeOf('key', keyId.replace(/^key_/, ''));
const clientPlace = (clientId: string) => placeOf('client', clientId.replace(/^cli_/, ''));
const userPlace = (tag: string, email: string): DocumentKey => ({ pk: `user#${tag}`, sk: emailKey(email) });

export interface CredentialReader {
  /** By the id, with or without its prefix. */
  readonly apiKey: (keyId: string) => Promise<ApiKey | null>;
  readonly client: (clientId: string) => Promise<OAuthClient | null>;
  /** `tag` is the tenant's. */
  readonly user: (tag: string, email: string) => Promise<User | null>;
}

export const credentialReader = (table: string): CredentialReader => ({
  apiKey: (keyId) => readDocument(table, keyPlace(keyId), ApiKey),
  client: (clientId) => readDocument(table, clientPlace(clientId), OAuthClient),
  user: (tag, email) => readDocument(table, userPlace(tag, email), User),
});

/** A tenant's credentials in the order they were made; `after` is the ULID of the last one seen. */
export interface CredentialLists {
  readonly apiKeys: (tag: string, range: DocumentRange) => Promise<ApiKey[]>;
  readonly clients: (tag: string, range: DocumentRange) => Promise<OAuthClient[]>;
}

export const credentialLists = (table: string): CredentialLists => ({
  apiKeys: (tag, range) => listDocuments(table, `key#${tag}`, range, ApiKey),
  clients: (tag, range) => listDocuments(table, `client#${tag}`, range, OAuthClient),
});

/** Reads with the revision, and the writes that a commit is made of. */
export interface CredentialWriter {
  readonly apiKey: (keyId: string) => Promise<Versioned<ApiKey> | null>;
  readonly client: (clientId: string) => Promise<Versioned<OAuthClient> | null>;
  readonly user: (tag: string, email: string) => Promise<Versioned<User> | null>;
  readonly putApiKey: (key: ApiKey, options: WriteOptions) => Write;
  readonly putClient: (client: OAuthClient, options: WriteOptions) => Write;
  readonly putUser: (tag: string, user: User, options: WriteOptions) => Write;
}

export const credentialWriter = (table: string): CredentialWriter => ({
  apiKey: (keyId) => readVersioned(table, keyPlace(keyId), ApiKey),
  client: (clientId) => readVersioned(table, clientPlace(clientId), OAuthClient),
  user: (tag, email) => readVersioned(table, userPlace(tag, email), User),
  putApiKey: (key, options) => writeDocument(table, keyPlace(key.key_id), key, options),
  putClient: (client, options) => writeDocument(table, clientPlace(client.client_id), client, options),
  putUser: (tag, user, options) => writeDocument(table, userPlace(tag, user.email), user, options),
});
