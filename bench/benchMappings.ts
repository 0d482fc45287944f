import { type CompiledMappings, compileMappings } from '../functions/attribution/mappings/mappingRules.ts';
import { type IdentityMapping, MAPPINGS_MAXIMUM } from '../schemas/attribution/identityMapping.ts';

type Condition = IdentityMapping['conditions'][number];

const mappingsOf = (conditionOf: (index: number) => Condition): CompiledMappings =>
  compileMappings(
    Array.from({ length: MAPPINGS_MAXIMUM }, (_, index): IdentityMapping => {
      const instant = '2026-01-01T00:00:00.000Z';
      return {
        id: `map_${index}`,
        name: `mapping ${index}`,
        position: index,
        conditions: [conditionOf(index)],
        owner: `team-${index}`,
        service: `service-${index}`,
        effective_from: instant,
        created_at: instant,
        updated_at: instant,
        created_by: 'bench',
      };
    }),
  );

/** As many as a tenant may have, as tenants write them: most name one value, one in ten a beginning, one in ten a pattern. */
export const usualMappings = (): CompiledMappings =>
  mappingsOf((index) => {
    if (index % 10 === 0) return { field: 'k8s_namespace', operator: 'prefix', value: `namespace-${index}x` };
    if (index % 10 === 1) return { field: 'source_system', operator: 'glob', value: `*-${index}-*` };
    return { field: 'api_key_name', operator: 'exact', value: `key-${index}` };
  });

/** The same number of patterns, each held against every event. */
export const patternMappings = (): CompiledMappings =>
  mappingsOf((index) => ({ field: 'k8s_namespace', operator: 'glob', value: `*space-${index}-*` }));
