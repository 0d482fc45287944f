import * as z from 'zod';
import { label } from '../values.ts';
import { BillProvider, ImportError } from './billSourceHealth.ts';
import { DataExport, TrustedDataExport } from './dataExport.ts';
import { ExchangeRates } from './exchangeRates.ts';

/** Most bill sources of a tenant. Each is read every hour. */
export const BILL_SOURCES_MAXIMUM = 20;
/** Days before its creation from which a source imports bills. One page of the Anthropic API has as many. */
export const FIRST_IMPORT_DAYS = 31;
/** Ended days that each import reads again, because providers restate recent days. */
export const RESTATED_DAYS = 7;

/** The members of a bill source that the client sets. */
export const billSourceMembers = {
  provider: BillProvider,
  name: label(128),
  account: label(128).meta({
    description:
      'Your name for the account at the provider. It stands for the one that the provider reports, if it reports none. Required only to import several accounts of one provider: each source then names its own',
    example: 'research',
  }),
  credential: z
    .string()
    .regex(/^[\x21-\x7E]{8,512}$/, 'must have 8 to 512 printable ASCII characters without spaces')
    .meta({
      description:
        'An admin API key of OpenAI or Anthropic that may read costs. It is stored encrypted and cannot be read again',
      writeOnly: true,
      example: 'an-admin-key-of-the-provider',
    }),
  data_export: DataExport,
  exchange_rates: ExchangeRates,
};

export const BillSource = z
  .object({
    id: z.string(),
    provider: billSourceMembers.provider,
    name: billSourceMembers.name,
    account: billSourceMembers.account.nullable(),
    data_export: TrustedDataExport.nullable().meta({ description: 'Null for OpenAI and Anthropic' }),
    exchange_rates: billSourceMembers.exchange_rates.nullable().meta({
      description: 'For charges in other currencies than USD. Null without',
    }),
    status: z.enum(['pending', 'active', 'failing', 'paused']).meta({
      description:
        'pending: nothing was imported yet. active: the last import completed. failing: the last import did not complete, or left out days, see last_error and unread_days. paused: no imports',
    }),
    last_success_at: z.iso.datetime().nullable().meta({ description: 'When an import last completed' }),
    last_error: ImportError.nullable().meta({
      description:
        'Why the last import did not complete, or why it left out the first of unread_days. Null if it did, and left out no day',
    }),
    unread_days: z.array(z.object({ day: z.iso.date(), error: ImportError })).meta({
      description:
        'Days whose report cannot be stored, each with the reason. All other days are imported. These days are tried again every 6 hours',
    }),
    next_import_at: z.iso.datetime().nullable().meta({
      description:
        'The next import starts at the first run from this instant on. Runs start every 15 minutes. After failures the pause grows up to 6 hours. Null while the source is paused',
    }),
    imported_until: z.iso.datetime().nullable().meta({
      description:
        'All days from the first import up to this instant were read from the provider, except for unread_days',
    }),
    published_until: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'End of the newest day for which the provider published charges' }),
    is_late: z.boolean().meta({
      description:
        'True if the provider published nothing for a day that ended more than 24 hours ago, and nothing for a later day. Also true if nothing was used for so long. False while the source is paused',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().meta({ description: 'When its settings last changed' }),
  })
  .meta({ id: 'BillSource' });
export type BillSource = z.infer<typeof BillSource>;
