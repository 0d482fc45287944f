import { DeleteItemCommand, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { type Day, startOfDay } from '../../../functions/ledger/archive/archivedDay.ts';
import type { ArchivedVersions } from '../../../functions/ledger/archive/reading/archivedVersions.ts';
import type { LedgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { partitionsOfMonth } from '../../../functions/ledger/records/ledgerKey.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import { ulidTime } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { DAY_MS } from '../../../schemas/durations.ts';

/** Deletes the versions of a tenant that expire up to an instant (epoch milliseconds), as DynamoDB does within days. */
export const expireRows = async (
  client: DynamoDBClient,
  tenant: Pick<Tenant, 'tenant_id'>,
  now: number,
  TableName = 'ledger',
): Promise<void> => {
  const pages = paginateScan(
    { client },
    {
      TableName,
      FilterExpression: 'begins_with(pk, :tenant) AND attribute_exists(detail) AND #ttl <= :now',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':tenant': { S: `${tenant.tenant_id}#` },
        ':now': { N: String(Math.floor(now / 1_000)) },
      },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const { pk, sk } of Items) {
      if (pk === undefined || sk === undefined) throw new Error('a row has no key');
      await client.send(new DeleteItemCommand({ TableName, Key: { pk, sk } }));
    }
  }
};

/** Deletes the rows of a day that its files hold, as if they were old enough to expire. */
export const expireArchivedRows = async (
  client: DynamoDBClient,
  { rows, archived }: { readonly rows: LedgerReader; readonly archived: ArchivedVersions },
  { tenant_id }: Tenant,
  day: Day,
): Promise<void> => {
  const start = startOfDay(day);
  const keys = { from: ulidTime(start), to: `${ulidTime(start + DAY_MS - 1)}~` };
  const months = await rows.months(tenant_id);
  const partitions = months
    .filter(({ month }) => month === monthOf(start))
    .flatMap((month) => partitionsOfMonth({ tenant_id }, month));
  for (const partition of partitions) {
    const range = { partition, ...keys, descending: false, limit: Number.POSITIVE_INFINITY };
    const { versions } = await archived.read(tenant_id, range);
    for (const { key } of versions) {
      await client.send(
        new DeleteItemCommand({ TableName: 'ledger', Key: { pk: { S: partition }, sk: { S: key } } }),
      );
    }
  }
};
