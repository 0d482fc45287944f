import * as z from 'zod';

/** The permissions of credentials. A missing scope denies. No scope implies another. */
export const scopes = {
  'read:attribution': 'Attribution records, coverage and explanations',
  'read:lookup': 'The owner and the crossed budget thresholds of a call, before it is made',
  'read:reporting': 'Reports, dashboards and aggregated metrics',
  'export:create': 'Create FOCUS exports and poll their jobs',
  'webhooks:manage': 'Register, verify, rotate and remove webhook endpoints; replay deliveries',
  'admin:config': 'Manage API keys, users, tenant settings, and all that finance:config manages',
  'finance:config':
    'Manage budgets, contract prices, bills, mappings, mutes, dismissed savings and business metrics',
  'ingest:write': 'Send inference events',
  'partner:connector':
    'Send events of the registered source systems, and report health (connectors of partners)',
} as const;

export type Scope = keyof typeof scopes;
export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]];
export const Scope = z.enum(scopeNames).meta({ id: 'Scope' });
