import * as z from 'zod';

/** The providers whose bills can be imported. */
export const billProviders = ['openai', 'anthropic', 'aws'] as const;
export const BillProvider = z.enum(billProviders).meta({ id: 'BillProvider' });
export type BillProvider = z.infer<typeof BillProvider>;

/** Why the last import did not complete. No text of the provider is stored or shown. */
export const importErrors = [
  'refused',
  'not_found',
  'rate_limited',
  'unavailable',
  'unreadable',
  'other_currency',
  'too_large',
  'slow',
  'credential_lost',
  'interrupted',
] as const;
export const ImportError = z.enum(importErrors).meta({
  id: 'BillImportError',
  description:
    'refused: the provider refused the credential, or it may not read costs. Replace the credential. For aws: the role cannot be assumed, or may not read the export. not_found: there is no export of this or the last month at the location. rate_limited: the provider asked to wait. unavailable: the provider failed or did not answer. unreadable: the response does not have the documented form. other_currency: charges are not in USD, and exchange_rates of the source has no rate for their day. Add it. too_large: a day has more rows than can be stored, or an export is too large for one run. slow: the time of a run was over. credential_lost: the stored credential cannot be decrypted. Send it again. interrupted: the import stopped without an end, for example because an export needs more memory or time. Open enumeration: later versions may add values',
});
export type ImportError = z.infer<typeof ImportError>;

/** The health of a source, as events report it. */
const sourceHealths = ['working', 'late', 'failing'] as const;
export const SourceHealth = z.enum(sourceHealths);
export type SourceHealth = z.infer<typeof SourceHealth>;

/** The data of the event about a change of the health of a source. */
export const BillSourceHealthChange = z
  .object({
    bill_source_id: z.string(),
    provider: BillProvider,
    name: z.string(),
    account: z.string().nullable(),
    previous: SourceHealth,
    state: SourceHealth.meta({
      description:
        'late: the provider published nothing for a day that ended more than 24 hours ago, and nothing for a later one. failing: imports do not complete. working: neither, so bills arrive. An error that passes by itself, such as rate_limited, is reported after five failures in a row',
    }),
    error: ImportError.nullable().meta({
      description: 'Why imports do not complete. Null if they do, or if a new credential was not used yet',
    }),
    published_until: z.iso.datetime().nullable().meta({
      description: 'End of the newest day for which the provider published charges',
    }),
  })
  .meta({ id: 'BillSourceHealthChanged' });
