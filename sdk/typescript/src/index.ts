export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
export type { Credential } from './credential.ts';
export { AttributionError, ConfigurationError, ConnectionError, RateLimitError } from './errors.ts';
export * from './operations.ts';
export type { Collection } from './pages.ts';
export type * from './types.ts';
