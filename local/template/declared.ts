import * as z from 'zod';
import { type Identity, identify, scopeOf, type Whereabouts } from './identities.ts';
import { resolve, type Scope } from './intrinsics.ts';
import { place, type Resource, type Template, TemplateError } from './template.ts';

/** A property the runtime knows and leaves aside: it changes nothing one machine could show. */
export const ignored = z.unknown().optional();

export interface Declared<T> {
  logicalId: string;
  identity: Identity;
  resource: Resource;
  properties: T;
}

/** A template with its references bound to where things live. */
export interface Reading {
  template: Template;
  identities: Map<string, Identity>;
  scope: Scope;
}

export function readingOf(template: Template, at: Whereabouts): Reading {
  const identities = identify(template, at);
  return { template, identities, scope: scopeOf(template, identities) };
}

/**
 * Every resource of a type, with resolved and checked properties.
 * Throws a TemplateError that names the logical id and each property at fault.
 */
export function declared<S extends z.ZodType>(
  reading: Reading,
  type: string,
  schema: S,
): Declared<z.output<S>>[] {
  return Object.entries(reading.template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, resource]) => {
      const identity = reading.identities.get(logicalId);
      if (!identity) throw new TemplateError(`${place(logicalId, type)}: has no identity`);
      const properties = checked(schema, propertiesOf(reading, logicalId, resource), place(logicalId, type));
      return { logicalId, identity, resource, properties };
    });
}

function propertiesOf(reading: Reading, logicalId: string, resource: Resource): unknown {
  try {
    return resolve(resource.Properties ?? {}, reading.scope);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new TemplateError(`${place(logicalId, resource.Type)}: ${error.message}`, { cause: error });
  }
}

function checked<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new TemplateError(`${where}: not supported by the local runtime: ${faults.join('; ')}`);
}
