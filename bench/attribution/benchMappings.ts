import { type CompiledMappings, compileMappings } from '../../functions/attribution/mappings/mappingRules.ts';
import { type IdentityMapping, MAPPINGS_MAXIMUM } from '../../schemas/attribution/identityMapping.ts';

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

/** The maximum number of mappings in a typical mix: 80 % exact values, 10 % prefixes, 10 % glob patterns. */
export const typicalMappings = (): CompiledMappings =>
  mappingsOf((index) => {
    if (index % 10 === 0) return { field: 'k8s_namespace', operator: 'prefix', value: `namespace-${index}x` };
    if (index % 10 === 1) return { field: 'source_system', operator: 'glob', value: `*-${index}-*` };
    return { field: 'api_key_name', operator: 'exact', value: `key-${index}` };
  });

/** The maximum number of glob patterns. No index applies, so the engine tests each of them against every event. */
export const patternMappings = (): CompiledMappings =>
  mappingsOf((index) => ({ field: 'k8s_namespace', operator: 'glob', value: `*space-${index}-*` }));
