import { readDocument, writeDocument } from '../shared/document.store.ts';
import { ApiKey } from './apiKey.ts';
import { OAuthClient } from './client.ts';

const apiKeyKey = (keyId: string) => `key#${keyId}`;
const clientKey = (clientId: string) => `client#${clientId}`;

export interface CredentialReader {
  /** By the key id inside the key, which is the record's id without its prefix. */
  readonly apiKey: (keyId: string) => Promise<ApiKey | null>;
  readonly client: (clientId: string) => Promise<OAuthClient | null>;
}

export const credentialReader = (table: string): CredentialReader => ({
  apiKey: (keyId) => readDocument(table, apiKeyKey(keyId), ApiKey),
  client: (clientId) => readDocument(table, clientKey(clientId), OAuthClient),
});

/** For operators' commands only. */
export const credentialWriter = (table: string) => ({
  putApiKey: (key: ApiKey) => writeDocument(table, apiKeyKey(key.key_id.replace(/^key_/, '')), key),
  putClient: (client: OAuthClient) => writeDocument(table, clientKey(client.client_id), client),
});
