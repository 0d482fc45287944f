import type { IdentityMapping } from '../../../../schemas/attribution/identityMapping.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import {
  DRY_RUN_RECORDS_MAXIMUM,
  dryRunIdentityMapping,
} from '../../../../schemas/routes/attribution/mappings.ts';
import { listRecords } from '../../../ledger/records/query/listRecords.ts';
import { operation } from '../../../platform/http/operation.ts';
import { reply } from '../../../platform/http/reply.ts';
import { deterministicUlid, idOf, parseId } from '../../../platform/shared/ids.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { compileMappings } from '../../mappings/mappingRules.ts';
import { applyMappingChange, dryRun } from './dryRun.ts';

const DEFAULT_PERIOD_MS = DAY_MS;

const invalid = (pointer: string, detail: string) =>
  new ProblemError('VALIDATION_FAILED', 'The body does not match its schema.', {
    errors: [{ pointer, detail }],
  });

const parsePeriod = (
  requested: { from?: string | undefined; to?: string | undefined },
  now: number,
): Interval => {
  const to = requested.to === undefined ? now : Date.parse(requested.to);
  const from = requested.from === undefined ? to - DEFAULT_PERIOD_MS : Date.parse(requested.from);
  if (from >= to) throw invalid('/from', 'must be before to');
  return { from: Math.max(from, 0), to: Math.max(to, 1) };
};

const findReplaced = (
  id: string | undefined,
  all: readonly IdentityMapping[],
  tag: string,
): IdentityMapping | undefined => {
  if (id === undefined) return undefined;
  if (parseId(id, 'map', tag).kind === 'foreign') {
    throw new ProblemError('TENANT_MISMATCH', 'The mapping belongs to another tenant.');
  }
  const replaced = all.find((mapping) => mapping.id === id);
  if (replaced === undefined) throw invalid('/replaces', 'mapping not found');
  return replaced;
};

export default operation(dryRunIdentityMapping, async ({ body, caller, receivedAt, claim, stores }) => {
  const { tenant, residency, principal } = caller;
  const period = parsePeriod(body, receivedAt);
  const all = await stores.mappings.all(tenant.tenant_id);
  const change = { mapping: body.mapping, replaced: findReplaced(body.replaces, all, tenant.tag) };
  const id = idOf('map', tenant.tag, deterministicUlid('identity mapping', claim.claim, receivedAt));
  const changed = applyMappingChange(all, change, { id, at: receivedAt, by: principal });
  const { items, resume } = await listRecords(stores.ledger, {
    tenant,
    residency,
    period,
    descending: true,
    after: undefined,
    asOf: receivedAt,
    limit: DRY_RUN_RECORDS_MAXIMUM,
  });
  const attributions = items.map(({ attribution }) => attribution);
  const result = dryRun(attributions, compileMappings(all), compileMappings(changed));
  return reply(200, { ...result, truncated: resume !== null });
});
