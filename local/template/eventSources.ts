import * as z from 'zod';
import { type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const TYPE = 'AWS::Lambda::EventSourceMapping';

/** Whether an event source ARN names a table stream. */
export const isTableStream = (eventSourceArn: string): boolean => /^arn:[^:]*:dynamodb:/.test(eventSourceArn);

/** The template without the event source mappings whose source ARN does not pass. Each kind of source has its own schema. */
export function filterEventSources(
  resolved: ResolvedTemplate,
  passes: (eventSourceArn: string) => boolean,
): ResolvedTemplate {
  const excluded = new Set(
    resourcesOfType(resolved, TYPE, z.looseObject({ EventSourceArn: z.string() }))
      .filter(({ properties }) => !passes(properties.EventSourceArn))
      .map(({ logicalId }) => logicalId),
  );
  const Resources = Object.fromEntries(
    Object.entries(resolved.template.Resources).filter(([logicalId]) => !excluded.has(logicalId)),
  );
  return { ...resolved, template: { ...resolved.template, Resources } };
}
