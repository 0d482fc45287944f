import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { isCompleted, isRicher, saysSomething } from './observationParts.ts';
import { type Observation, observerIn, type Statement } from './statement.ts';

/** The parts of a record that an observation takes, by name, and why it does not take the others. */
export interface WonParts {
  readonly won: readonly string[];
  readonly lost: readonly string[];
  /** Whether it could take a part, and does not, because a figure or a confidence would fall. */
  readonly isWithheld: (name: string) => boolean;
  /** Whether another credential still holds the owner or the service. */
  readonly keepsName: boolean;
}

/** The names, whose lowest stated confidence holds. */
export const NAMES = ['attributed_identity', 'attributed_service'];

const takes = (statement: Statement, [name, part]: Statement['parts'][number]): boolean => {
  const { known, incoming, own, earlier } = statement;
  const [observation, right] = [statement.observationOf(name), statement.rightTo(name)];
  if (right === 'never') return false;
  if (right === 'if_empty') return isCompleted(part, known, incoming);
  if (earlier !== undefined) return isCompleted(part, right === 'always' ? null : known, incoming);
  if (observation === undefined) return true;
  if (right === 'always') return saysSomething(part, incoming) || !saysSomething(part, known);
  return isRicher(part, { event: incoming, ...own }, { event: known, ...observerIn(observation) });
};

/** A confidence belongs to the names of its statement. */
const confidenceOf = ({ attribution_confidence }: InvocationEvent): number => attribution_confidence ?? 1;

export const wonParts = (statement: Statement, { without = [] }: Pick<Observation, 'without'>): WonParts => {
  const { known, incoming, parts, isCreator, isOtherHolder } = statement;
  const taken = parts.filter((part) => takes(statement, part)).map(([name]) => name);
  const keepsName = NAMES.some((name) => isOtherHolder(name) && !taken.includes(name));
  const isLessSure = !isCreator && keepsName && confidenceOf(incoming) < confidenceOf(known);
  const isWithheld = (name: string): boolean =>
    (isLessSure && NAMES.includes(name)) || without.includes(name);
  const won = taken.filter((name) => !isWithheld(name));
  const lost = parts.map(([name]) => name).filter((name) => !won.includes(name));
  return { won, lost, isWithheld, keepsName };
};
