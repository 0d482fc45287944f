import * as z from 'zod';
import { StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { COHORT_MINIMUM } from '../../../../schemas/reports.ts';
import { hashOfPerson } from '../../../ledger/cohorts/persons.ts';
import type { Attribution } from '../../../ledger/records/attribution.ts';
import type { Line, LineKey } from '../focus/line.ts';
import type { Grain } from '../focus/recordLines.ts';

/** Dimensions of a group. Dimensions that are not in `group_by` are null. */
export interface Group {
  readonly owner: string | null;
  readonly service: string | null;
  readonly provider: string | null;
  readonly servedModel: string | null;
  readonly pathway: string | null;
  readonly region: string | null;
}

/** A group with its persons. */
export interface ExportCohort {
  readonly group: Group;
  /** Hashes of distinct persons, at most `COHORT_MINIMUM`: enough to decide after a merge whether the minimum is reached. */
  readonly persons: readonly string[];
  readonly records: number;
  /** Units of 1e-12 USD. */
  readonly cost: bigint;
  /** Its owner or service if one of its own records names a person of that name. The totals can lack the newest persons. */
  readonly identities: readonly string[];
}

export const groupOf = (key: LineKey, { groupBy }: Grain): Group => ({
  owner: key.owner,
  service: key.service,
  provider: groupBy.has('provider') ? key.provider : null,
  servedModel: groupBy.has('served_model') ? key.servedModel : null,
  pathway: key.pathway,
  region: key.region,
});

export const groupText = (group: Group): string =>
  JSON.stringify([
    group.owner,
    group.service,
    group.provider,
    group.servedModel,
    group.pathway,
    group.region,
  ]);

/** Merges person hashes, keeping at most `COHORT_MINIMUM`. */
export const mergePersonHashes = (one: readonly string[], other: readonly string[]): readonly string[] =>
  one.length >= COHORT_MINIMUM ? one : [...new Set([...one, ...other])].sort().slice(0, COHORT_MINIMUM);

const addCohorts = (one: ExportCohort, other: ExportCohort): ExportCohort => ({
  group: one.group,
  persons: mergePersonHashes(one.persons, other.persons),
  records: one.records + other.records,
  cost: one.cost + other.cost,
  identities: [...new Set([...one.identities, ...other.identities])].sort(),
});

const identitiesIn = ({ owner, service }: Group, person: string | undefined): string[] =>
  [owner, service].filter((label) => label !== null).filter((label) => label === person);

/** The cohort of a single record. */
const cohortOf = (
  { record, storedEvent }: Attribution,
  lines: readonly Line[],
  group: Group,
): ExportCohort => {
  const person = storedEvent.attributed_identity;
  return {
    group,
    persons: person === undefined ? [] : [hashOfPerson(record.tenant_id, person)],
    records: 1,
    cost: lines.reduce((sum, { amounts }) => sum + amounts.cost, 0n),
    identities: identitiesIn(group, person),
  };
};

/** Collects the cohorts of exported records, in any order. */
export class Cohorts {
  readonly #byGroup = new Map<string, ExportCohort>();

  /** `lines` are the lines of this record. */
  addRecord(attribution: Attribution, lines: readonly Line[], grain: Grain): void {
    const [first] = lines;
    if (first !== undefined) this.add(cohortOf(attribution, lines, groupOf(first.key, grain)));
  }

  add(cohort: ExportCohort): void {
    const text = groupText(cohort.group);
    const existing = this.#byGroup.get(text);
    this.#byGroup.set(text, existing === undefined ? cohort : addCohorts(existing, cohort));
  }

  sorted(): readonly ExportCohort[] {
    return [...this.#byGroup].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, cohort]) => cohort);
  }
}

const Label = z.string().nullable();

/** JSON form of a cohort in work documents. */
export const StoredCohort = z.object({
  group: z.object({
    owner: Label,
    service: Label,
    provider: Label,
    servedModel: Label,
    pathway: Label,
    region: Label,
  }),
  persons: z.array(z.string()),
  records: z.int(),
  cost: StoredFixedPoint,
  identities: z.array(z.string()),
});
