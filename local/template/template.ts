import * as z from 'zod';

const Resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).optional(),
  Metadata: z.record(z.string(), z.unknown()).optional(),
  Condition: z.string().optional(),
});

/** The parts of a CloudFormation template that the runtime reads. Other members are ignored. */
export const Template = z.looseObject({
  Resources: z.record(z.string(), Resource),
  Parameters: z
    .record(z.string(), z.looseObject({ Type: z.string().optional(), Default: z.unknown().optional() }))
    .optional(),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).optional(),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).optional(),
});

export type Template = z.infer<typeof Template>;
export type Resource = z.infer<typeof Resource>;

/** The template is invalid or contains something unsupported. The message names the logical id. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A resource in an error message. */
export const describeResource = (logicalId: string, type: string): string => `${logicalId} (${type})`;
