import { COHORT_MINIMUM } from '../../../schemas/insight/reports.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';
import { hashOfPerson } from '../records/person.ts';

/**
 * The persons that the calls of a month name, by hash. It decides for reports and exports alike who is counted, and which
 * labels may be shown: a label that is the identity of one of these persons names that person. A label that only looks like
 * an address, such as a shared mailbox, names nobody while enough persons call under it.
 */
export class PersonIndex {
  readonly #personHashes: ReadonlySet<string>;
  readonly #hashes = new Map<string, string>();
  readonly #tenantId: string;

  /** `persons` are the hashes of the persons of the month. */
  constructor(tenantId: string, persons: Iterable<string>) {
    this.#tenantId = tenantId;
    this.#personHashes = new Set(persons);
  }

  #hashOf(name: string): string {
    const hash = this.#hashes.get(name) ?? hashOfPerson(this.#tenantId, name);
    this.#hashes.set(name, hash);
    return hash;
  }

  /** Whether a label is the identity of a person who called in that month. */
  isIdentity(label: string | null): boolean {
    return label !== null && this.#personHashes.has(this.#hashOf(label));
  }

  /** The person whose identity a label is; null if it is nobody's. */
  personNamed(label: string | null): string | null {
    return label !== null && this.isIdentity(label) ? this.#hashOf(label) : null;
  }
}

/** The hashes of all persons in these rollups. */
export const personsIn = (rollups: Iterable<Rollup>): Set<string> => {
  const persons = new Set<string>();
  for (const { groups } of rollups) {
    for (const { figures } of groups) for (const hash of figures.persons) persons.add(hash);
  }
  return persons;
};

/** At most {@link COHORT_MINIMUM} distinct persons: enough to decide whether the minimum is reached. */
export const distinctUpToMinimum = (lists: Iterable<readonly string[]>): string[] => {
  const distinct = new Set<string>();
  for (const list of lists) {
    for (const person of list) {
      if (distinct.size === COHORT_MINIMUM) return [...distinct];
      distinct.add(person);
    }
  }
  return [...distinct];
};
