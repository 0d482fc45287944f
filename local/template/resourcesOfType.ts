import * as z from 'zod';
import { type ReferenceResolver, resolveIntrinsics } from './intrinsics.ts';
import { type Identity, identify, type ResourceLocations, referenceResolver } from './resourceIdentities.ts';
import { describeResource, type Resource, type Template, TemplateError } from './template.ts';

const WORDS = z.locales.en().localeError;

/** A known property without effect in the local runtime. */
export const ignored = z.unknown().optional();

export interface DeclaredResource<T> {
  logicalId: string;
  identity: Identity;
  resource: Resource;
  properties: T;
}

/** A template with the resource locations that its references resolve to. */
export interface ResolvedTemplate {
  template: Template;
  identities: Map<string, Identity>;
  references: ReferenceResolver;
}

export function resolveTemplate(template: Template, locations: ResourceLocations): ResolvedTemplate {
  const identities = identify(template, locations);
  return { template, identities, references: referenceResolver(template, identities) };
}

/**
 * Every resource of a type, with resolved and validated properties.
 * Throws a TemplateError that names the logical id and each invalid property.
 */
export function resourcesOfType<S extends z.ZodType>(
  resolved: ResolvedTemplate,
  type: string,
  schema: S,
): DeclaredResource<z.output<S>>[] {
  return Object.entries(resolved.template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, resource]) => {
      const identity = resolved.identities.get(logicalId);
      if (!identity) throw new TemplateError(`${describeResource(logicalId, type)}: has no identity`);
      const properties = validateProperties(
        schema,
        propertiesOf(resolved, logicalId, resource),
        describeResource(logicalId, type),
      );
      return { logicalId, identity, resource, properties };
    });
}

/** The resource of a type of which the runtime supports only one. Throws a TemplateError if there are several. */
export function onlyResourceOfType<S extends z.ZodType>(
  resolved: ResolvedTemplate,
  type: string,
  schema: S,
  what: string,
): DeclaredResource<z.output<S>> | undefined {
  const [only, second] = resourcesOfType(resolved, type, schema);
  if (second === undefined) return only;
  const where = describeResource(second.logicalId, type);
  throw new TemplateError(`${where}: the local runtime supports only one ${what}`);
}

function propertiesOf(resolved: ResolvedTemplate, logicalId: string, resource: Resource): unknown {
  try {
    return resolveIntrinsics(resource.Properties ?? {}, resolved.references);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new TemplateError(`${describeResource(logicalId, resource.Type)}: ${error.message}`, {
      cause: error,
    });
  }
}

function validateProperties<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  // The words of the API would not name an unknown property: they can be set for the whole process.
  const result = schema.safeParse(value, { error: WORDS });
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new TemplateError(`${where}: not supported by the local runtime: ${faults.join('; ')}`);
}
