import * as z from 'zod';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

export const BillImport = z
  .object({
    provider: z.string().nullable().meta({ description: 'Null if the entry has several providers' }),
    account: z
      .string()
      .nullable()
      .meta({ description: 'The BillingAccountId. Null if the rows name none, or several' }),
    from: z.iso.date().meta({ description: 'The first billed UTC day' }),
    to: z.iso.date().meta({ description: 'Exclusive' }),
    rows: z.int(),
    billed_usd: z.string().meta({ description: 'Usage charges' }),
    other_charges_usd: z.string().meta({ description: 'Purchases, taxes, credits and adjustments' }),
    imported_at: z.iso
      .datetime()
      .meta({ description: 'When the rows arrived, or their report was requested' }),
    imported_by: z
      .string()
      .nullable()
      .meta({ description: 'Id of the key, client or user that sent the rows. Null for a bill source' }),
    source_id: z.string().nullable().meta({ description: 'The bill source. Null if the rows were sent' }),
  })
  .meta({ id: 'BillImport' });
export type BillImport = z.infer<typeof BillImport>;

export const listBills = route({
  method: 'GET',
  path: '/api/v1/reconciliation/bills',
  operation: 'listBills',
  authority: { effect: 'none', reveals: [], lanes: 'all' },
  unit: 'reconciliation',
  summary: 'List imported bills, newest billed day first',
  description:
    'Each request that sent bills has an entry for each provider and account in it. A bill source has one entry for each day, which a restatement replaces. The amounts are those of the import: if a bill was sent twice, both entries show it, while the comparison counts it once. A credential that is bound to a lane is rejected with RESIDENCY_BLOCKED.',
  access: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['billImports.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  refuses: ['RESIDENCY_BLOCKED'],
  replies: { 200: { description: 'A page of imports', body: pageOf(BillImport, 'BillImportPage') } },
});
