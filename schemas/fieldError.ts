import * as z from 'zod';

/**
 * One invalid part of a request: where it is, the reason, and the allowed values. Never contains the submitted value.
 * Without `pointer`, `parameter` and `header` it is about the request as a whole.
 */
export const FieldError = z
  .object({
    pointer: z.string().optional().meta({ description: 'JSON Pointer (RFC 6901) into the body' }),
    parameter: z.string().optional().meta({ description: 'Name of a query or form parameter' }),
    header: z.string().optional().meta({ description: 'Name of a header' }),
    field: z.string().optional().meta({ description: 'The field of a filter' }),
    operator: z.string().optional().meta({ description: 'The operator of a filter' }),
    detail: z.string().meta({ description: 'The reason' }),
    allowed: z
      .array(z.string())
      .optional()
      .meta({ description: 'The allowed names or values, if they are listed' }),
    suggestion: z
      .string()
      .optional()
      .meta({ description: 'The known name that is nearest to an unknown one' }),
  })
  .meta({ id: 'FieldError' });
export type FieldError = z.infer<typeof FieldError>;

/** What a request names and nothing has. A name that the caller must not see reads as one that does not exist. */
export const Warnings = z.array(FieldError).meta({
  id: 'Warnings',
  description:
    'Names in the filters or the scope that no call has which can be shown here, with the nearest name that is shown',
});
