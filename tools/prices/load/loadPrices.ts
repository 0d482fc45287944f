import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { auditChanges } from '../../../functions/identity/audit/auditChanges.ts';
import { buildAuditEntry } from '../../../functions/identity/audit/auditEntry.ts';
import type { PricesInForce } from '../../../functions/impact/price/lists/priceObject.store.ts';
import { tenantFactors } from '../../../functions/impact/tenantFactors.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { PriceLoad, PriceObject } from '../../../schemas/attribution/loadedPrices.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import type { Deployment } from '../../operator/deployment.ts';
import { addEffect, type PriceEffects } from './priceEffects.ts';

/** A worker reads the object within two seconds, and keeps it in memory. */
const OBJECT_BYTES_MAXIMUM = 4_000_000;
/** Records of one page. */
const PAGE_RECORDS = 500;

/** The objects before and after a load. They are the same if the file is what was loaded last. */
export interface PlannedLoad {
  readonly before: PriceObject | null;
  readonly after: PriceObject;
  readonly version: string;
}

const planLoad = (before: PriceObject | null, prices: PriceLoad, loadedAt: string): PlannedLoad => {
  const newest = before?.loads.at(-1);
  if (before !== null && newest !== undefined && isDeepStrictEqual(newest.prices, prices)) {
    return { before, after: before, version: newest.version };
  }
  const digest = sha256Of('loaded prices', newest?.version ?? '', JSON.stringify(prices)).toString('hex');
  const version = `loaded-${loadedAt.slice(0, 10)}-${digest.slice(0, 12)}`;
  const after = { loads: [...(before?.loads ?? []), { version, loaded_at: loadedAt, prices }] };
  if (Buffer.byteLength(JSON.stringify(after)) > OBJECT_BYTES_MAXIMUM) {
    throw new Error(
      `All loads together would have more than ${OBJECT_BYTES_MAXIMUM} bytes. Load the models that you use.`,
    );
  }
  return { before, after, version };
};

/** The first day from which a load changes something. */
export const firstDayOf = ({ lists, tiers, places, aliases }: PriceLoad): string =>
  [
    ...lists.flatMap(({ models }) => Object.values(models).flat()),
    ...aliases.flatMap(({ models }) => Object.values(models).flat()),
    ...tiers,
    ...places,
  ].reduce((first, { from }) => (from < first ? from : first), '9999-12-31');

/** Loads prices into a deployment, with the operator's AWS credentials. There is no route for this. */
export const priceAdministration = async (deployment: Deployment) => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { auditLog } = await import('../../../functions/identity/audit/audit.store.ts');
  const { priceObjectReader, priceObjectWriter } = await import(
    '../../../functions/impact/price/lists/priceObject.store.ts'
  );
  const { listRecords } = await import('../../../functions/ledger/records/query/listRecords.ts');
  const { commit } = await import('../../../functions/platform/shared/aws/document.store.ts');
  const { tenantDirectory, tenantReader } = await import(
    '../../../functions/platform/tenancy/tenant.store.ts'
  );
  const { operatorLedger } = await import('../../operator/operatorLedger.ts');
  const table = deployment.output('TableTenants');
  const bucket = deployment.output('BucketArtefacts');
  const objects = priceObjectReader(table, bucket);
  const writer = priceObjectWriter(table, bucket);
  const audit = auditLog(deployment.output('TableAudit'));
  const tenants = tenantDirectory(table);

  const objectInForce = async () => {
    const inForce = await objects.inForce();
    return { inForce, object: inForce && (await objects.read(inForce.document.version)) };
  };

  /** Tells each tenant of a load. The entry follows from the load, so a command that is repeated writes the same one. */
  const tellTenants = async (inForce: PricesInForce, { loads }: PriceObject): Promise<void> => {
    const index = loads.findIndex(({ version }) => version === inForce.version);
    const summaryOf = (load: PriceObject['loads'][number] | undefined) => {
      const { lists = [], tiers = [], places = [], aliases = [] } = load?.prices ?? {};
      const models = [...lists, ...aliases].flatMap((list) =>
        Object.keys(list.models).map((model) => `${list.provider} ${model}`),
      );
      return { version: load?.version, models, rules: tiers.length + places.length };
    };
    const changed = auditChanges({ before: summaryOf(loads[index - 1]), after: summaryOf(loads[index]) });
    for await (const page of tenants.pages()) {
      for (const { tenant_id: tenantId, tag } of page) {
        const actor = { type: 'operator', id: 'operator' } as const;
        const context = {
          ulid: inForce.ulid,
          tag,
          action: 'prices.load',
          actor,
          sourceIp: null,
          traceId: null,
        } as const;
        await commit([
          audit.append(tenantId, buildAuditEntry(context, { resource: inForce.version, changed })),
        ]);
      }
    }
  };

  return {
    /** The object of a version, by default of the one in force. Null if nothing was ever loaded. */
    show: async (version?: string): Promise<PriceObject | null> =>
      version === undefined ? (await objectInForce()).object : objects.read(version),
    plan: async (prices: PriceLoad, now: Date): Promise<PlannedLoad> =>
      planLoad((await objectInForce()).object, prices, now.toISOString()),
    /** What a load does to the records of the last days, by tenant. */
    effects: async function* (plan: PlannedLoad, prices: PriceLoad, days: number, now: number) {
      const ledger = operatorLedger(deployment, () => now);
      const reader = tenantReader(table);
      const from = Math.max(Date.parse(firstDayOf(prices)), now - days * DAY_MS);
      if (from >= now) return;
      for await (const page of tenants.pages()) {
        for (const tenant of page) {
          const own = {
            contract: await reader.contractPrices(tenant.tenant_id),
            pools: await reader.nodePools(tenant.tenant_id),
          };
          const factors = [
            await tenantFactors(own, plan.before),
            await tenantFactors(own, plan.after),
          ] as const;
          const effects: PriceEffects = new Map();
          let after: string | undefined;
          do {
            const request = { tenant, period: { from, to: now }, descending: true, after, residency: null };
            const { items, resume } = await listRecords(ledger, {
              ...request,
              asOf: now,
              limit: PAGE_RECORDS,
            });
            for (const { attribution } of items) addEffect(effects, attribution, factors);
            after = resume ?? undefined;
          } while (after !== undefined);
          yield { tenant: tenant satisfies Tenant, effects };
        }
      }
    },
    /** Puts planned prices in force. Throws if another load came first. */
    load: async ({ before, after, version }: PlannedLoad, now: Date): Promise<void> => {
      const { inForce, object } = await objectInForce();
      if (object !== null && inForce?.document.version === version)
        return tellTenants(inForce.document, object);
      if (object?.loads.at(-1)?.version !== before?.loads.at(-1)?.version) {
        throw new Error('Other prices were loaded meanwhile. Nothing was changed: repeat the command.');
      }
      // An interrupted command may have told only some of the load before.
      if (inForce !== null && object !== null) await tellTenants(inForce.document, object);
      await writer.write(version, after);
      // What workers will read must be readable.
      const written = await objects.read(version);
      const next: PricesInForce = {
        version,
        loaded_at: now.toISOString(),
        ulid: ulidOf(now.getTime(), randomBytes(10)),
      };
      const by = { claim: `operator ${randomUUID()}`, attempt: 1 };
      if (!(await commit([writer.putInForce(next, by, inForce)]))) {
        throw new Error('Other prices were loaded meanwhile. Nothing was changed: repeat the command.');
      }
      await tellTenants(next, written);
    },
  };
};
