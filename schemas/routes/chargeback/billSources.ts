import * as z from 'zod';
import {
  BILL_SOURCES_MAXIMUM,
  BillSource,
  billSourceMembers,
  FIRST_IMPORT_DAYS,
  RESTATED_DAYS,
} from '../../chargeback/billSources.ts';
import { RATE_DAYS_MAXIMUM } from '../../chargeback/exchangeRates.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const BYTES_MAXIMUM = 16 * 1_024;

const {
  provider,
  name,
  account,
  credential,
  data_export: dataExport,
  exchange_rates: exchangeRates,
} = billSourceMembers;

const BillSourceRequest = z
  .strictObject({
    provider,
    name,
    credential: credential.optional(),
    account: account.optional(),
    data_export: dataExport.optional().meta({ description: 'Required for aws, and for it only' }),
    exchange_rates: exchangeRates.optional().meta({
      description: `Needed if the provider bills in another currency than USD. A day takes its rates, or the newest of the ${RATE_DAYS_MAXIMUM} days before`,
    }),
  })
  .superRefine((source, issues) => {
    const isExport = source.provider === 'aws';
    const check = (member: 'credential' | 'data_export', isRequired: boolean) => {
      if ((source[member] !== undefined) === isRequired) return;
      const message = `${isRequired ? 'is required' : 'must be omitted'} for the provider ${source.provider}`;
      issues.addIssue({ code: 'custom', path: [member], message });
    };
    check('credential', !isExport);
    check('data_export', isExport);
  })
  .meta({
    id: 'BillSourceRequest',
    example: {
      provider: 'openai',
      name: 'OpenAI, research',
      credential: 'an-admin-key-of-the-provider',
      account: 'research',
    },
  });
export type BillSourceRequest = z.infer<typeof BillSourceRequest>;

const BillSourcePatch = z
  .strictObject({
    name: name.optional(),
    credential: credential.optional().meta({ description: 'Replaces the credential', writeOnly: true }),
    data_export: dataExport.optional().meta({ description: 'Replaces the export of a source of aws' }),
    exchange_rates: exchangeRates.optional().meta({
      description:
        'Replaces the rates. Days that are imported keep theirs; days that lack one are tried again',
    }),
    paused: z.boolean().optional().meta({ description: 'true stops the imports. false resumes them' }),
  })
  .meta({
    id: 'BillSourcePatch',
    description: 'Omitted members do not change (JSON Merge Patch, RFC 7396)',
    example: { paused: true },
  });
export type BillSourcePatch = z.infer<typeof BillSourcePatch>;

const IMPORTS = `The bills are imported every hour: first the last ${FIRST_IMPORT_DAYS} days, then each new day, and the last ${RESTATED_DAYS} ended days again, because providers restate them. Today is imported once it has ended. A source of aws reads the charges of Amazon Bedrock in an export of CUR 2.0 (AWS Data Exports), the whole month whenever AWS has delivered it again.`;
const WHOLE_TENANT = 'A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED.';
const WRITE_ONLY = 'No response contains the credential of the provider.';

const common = {
  unit: 'reconciliation',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
} as const;
const ids = { id: 'bls' };

export const createBillSource = route({
  ...common,
  method: 'POST',
  path: '/api/v1/bill-sources',
  operation: 'createBillSource',
  limits: { resources: BILL_SOURCES_MAXIMUM },
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  summary: 'Import the bills of a provider every hour',
  description: `${IMPORTS} OpenAI needs an admin key, Anthropic an Admin API key, and aws a data_export whose role trusts trusted_role_arn with external_id of the response. ${WRITE_ONLY} The report of a day is a delivery of the account that the provider reports. CONFLICT if there is a source with the same provider and account, and for a sandbox tenant, which has no bills. A tenant can have ${BILL_SOURCES_MAXIMUM} sources; beyond that the response is VALIDATION_FAILED. ${WHOLE_TENANT}`,
  rate: 'write',
  needs: ['billSources.write', 'billCredential.encrypt', 'billRole.name'],
  body: { kind: 'json', schema: BillSourceRequest, maxBytes: BYTES_MAXIMUM },
  audit: 'bill_source.create',
  refuses: ['CONFLICT'],
  replies: { 201: { description: 'The source, which was not read yet', body: BillSource } },
});

export const listBillSources = route({
  ...common,
  method: 'GET',
  path: '/api/v1/bill-sources',
  operation: 'listBillSources',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'List bill sources with the state of their imports, newest first',
  description: `${WRITE_ONLY} ${WHOLE_TENANT}`,
  rate: 'read',
  needs: ['billSources.read', 'billRole.name', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of bill sources', body: pageOf(BillSource, 'BillSourcePage') } },
});

export const getBillSource = route({
  ...common,
  method: 'GET',
  path: '/api/v1/bill-sources/{id}',
  operation: 'getBillSource',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  summary: 'Read one bill source with the state of its imports',
  description: `${WRITE_ONLY} ${WHOLE_TENANT}`,
  rate: 'read',
  needs: ['billSources.read', 'billRole.name'],
  ids,
  replies: { 200: { description: 'The source', body: BillSource } },
});

export const updateBillSource = route({
  ...common,
  method: 'PATCH',
  path: '/api/v1/bill-sources/{id}',
  operation: 'updateBillSource',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  summary: 'Rename, pause or resume a bill source, or replace its credential or export',
  description: `With a new credential, a data_export, exchange_rates or paused set to false, the source is imported at the next run, within 15 minutes. Provider and account cannot change. VALIDATION_FAILED for a member that the provider of the source does not have. ${WRITE_ONLY} ${WHOLE_TENANT}`,
  rate: 'write',
  needs: ['billSources.write', 'billCredential.encrypt', 'billRole.name'],
  ids,
  body: { kind: 'json', schema: BillSourcePatch, maxBytes: BYTES_MAXIMUM },
  audit: 'bill_source.update',
  replies: { 200: { description: 'The changed source', body: BillSource } },
});

export const deleteBillSource = route({
  ...common,
  method: 'DELETE',
  path: '/api/v1/bill-sources/{id}',
  operation: 'deleteBillSource',
  authority: { effect: 'deletion', reveals: [], lanes: 'all' },
  summary: 'Delete a bill source and its credential',
  description: `The imports stop. What was imported remains, until it is taken back or replaced. ${WHOLE_TENANT}`,
  rate: 'write',
  needs: ['billSources.write'],
  ids,
  audit: 'bill_source.delete',
  replies: { 204: { description: 'The source is deleted' } },
});

/** In the order of the documentation. */
export const billSourceRoutes = [
  createBillSource,
  listBillSources,
  getBillSource,
  updateBillSource,
  deleteBillSource,
];
