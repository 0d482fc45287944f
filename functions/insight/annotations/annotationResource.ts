import { ANNOTATIONS_MAXIMUM, Annotation } from '../../../schemas/insight/annotations.ts';
import { tenantResource } from '../../identity/audit/tenantResource.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { requireResidency } from '../../platform/tenancy/residency.ts';
import type { AnnotationStore } from './annotation.store.ts';

export const annotationResource = (annotations: AnnotationStore) =>
  tenantResource(
    {
      shape: Annotation,
      name: 'annotation',
      idPrefix: 'ann',
      maximum: ANNOTATIONS_MAXIMUM,
      requireVisible: (caller, found) => {
        if (found === null) throw new ProblemError('NOT_FOUND', 'There is no annotation with this id.');
        requireResidency(found, caller);
        return found;
      },
      // The entry has the time and the actor.
      configuration: ({ created_at: _at, created_by: _by, ...annotation }) => annotation,
    },
    annotations,
  );
