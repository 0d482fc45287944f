import type * as z from 'zod';
import type { FieldError } from '../../../schemas/fieldError.ts';
import { InvocationEventFields } from '../../../schemas/ingest/invocationEvent.ts';
import { TOKEN_PARTS } from '../../../schemas/ingest/tokenParts.ts';
import { printableText } from '../../../schemas/values.ts';
import { suggestedValue } from '../../platform/http/inputErrors.ts';
import { toCount } from '../formats/values.ts';

/** An event without the optional values that made it invalid. */
export interface RepairedEvent {
  readonly event: Readonly<Record<string, unknown>>;
  /** Why members were changed or left out. Never quotes a value. */
  readonly warnings: readonly FieldError[];
}

type Field = keyof typeof InvocationEventFields.shape;

const isField = (name: string): name is Field => Object.hasOwn(InvocationEventFields.shape, name);

const isOptional = (name: string): name is Field =>
  isField(name) && InvocationEventFields.shape[name].safeParse(undefined).success;

const accepts = (name: Field, value: unknown): boolean =>
  InvocationEventFields.shape[name].safeParse(value).success;

/** The texts of a list that the member accepts, as many of them as it may have. */
const acceptedItems = (name: Field, items: readonly unknown[]): readonly string[] => {
  const kept: string[] = [];
  for (const item of items) {
    const text = typeof item === 'string' ? printableText(item) : '';
    if (!accepts(name, [text])) continue;
    if (!accepts(name, [...kept, text])) break;
    kept.push(text);
  }
  return kept;
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

/** What a value of another form can mean: text that is readable or a count, a number that is an amount. */
const meaningsOf = (name: Field, value: unknown): readonly unknown[] => {
  if (typeof value === 'string') return [printableText(value), toCount(value)];
  if (typeof value === 'number') return [String(value)];
  return Array.isArray(value) ? [acceptedItems(name, value)] : [];
};

/** The value that was meant, if only its form is wrong; undefined if nothing of it can be kept. */
const repairValue = (name: Field, value: unknown): unknown =>
  meaningsOf(name, value).find((meant) => !isEmpty(meant) && accepts(name, meant));

/**
 * What a fault makes invalid. A part of a count that exceeds its whole says that one of them is wrong, but not which: the
 * count of the call is then unknown. Cache writes stay, because only the time that they are kept is in doubt.
 */
const invalidMembers = ({ code, path: [member] }: z.core.$ZodIssue): readonly Field[] => {
  const name = String(member);
  if (!isOptional(name)) return [];
  const group = TOKEN_PARTS.find(({ parts }) => parts.some((part) => part === name));
  return code !== 'custom' || group === undefined || group.whole === 'cache_write_tokens'
    ? [name]
    : [group.whole, ...group.parts];
};

/**
 * Takes the optional values that made an event invalid out of it, because the call has a cost all the same. A text loses
 * its control characters, and a list its invalid items. Any other value is left out. Null stands for no value at many
 * producers, and needs no warning. Faults of required members stay.
 */
export const repairEvent = (sent: object, { issues }: z.ZodError): RepairedEvent => {
  const event = new Map(Object.entries(sent));
  const warnings = new Map<string, FieldError>();
  for (const issue of issues) {
    for (const name of invalidMembers(issue)) {
      const value = event.get(name);
      if (value === undefined) continue;
      const repaired = repairValue(name, value);
      if (repaired === undefined) event.delete(name);
      else event.set(name, repaired);
      if (value === null) continue;
      const action = repaired === undefined ? 'The member was dropped' : 'The value was corrected';
      warnings.set(name, {
        pointer: `/${name}`,
        detail: `${issue.message}. ${action}`,
        ...suggestedValue(issue),
      });
    }
  }
  return { event: Object.fromEntries(event), warnings: [...warnings.values()] };
};
