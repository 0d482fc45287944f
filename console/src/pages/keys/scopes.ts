import type { ApiKeyRequest } from '../../../../sdk/typescript/src/types.ts';

/** The scope of connectors is for clients with source systems, which are registered through the API. */
export type Scope = Exclude<ApiKeyRequest['scopes'][number], 'partner:connector'>;

const NAMES: Readonly<Record<Scope, string>> = {
  'ingest:write': 'Send events',
  'read:lookup': 'Look up owners',
  'read:reporting': 'Read reports',
  'read:attribution': 'Read records',
  'export:create': 'Create exports',
  'webhooks:manage': 'Manage webhooks',
  'finance:config': 'Set budgets, prices, bills and mappings',
  'admin:config': 'Administer',
};

const SCOPES = Object.keys(NAMES) as Scope[];

/** The scopes that a person holds: nobody grants more. */
export const scopeOptions = (held: readonly string[]) =>
  SCOPES.filter((scope) => held.includes(scope)).map((value) => ({
    value,
    label: `${NAMES[value]} (${value})`,
  }));

export const scopesOf = (names: readonly string[]): Scope[] =>
  SCOPES.filter((scope) => names.includes(scope));
