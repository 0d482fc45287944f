import { ANNOTATIONS_MAXIMUM, Annotation } from '../../../schemas/insight/annotations.ts';
import {
  type Count,
  type CountedCollection,
  countedCollection,
  headWithCount,
} from '../../platform/shared/aws/countedCollection.store.ts';

export type AnnotationStore = CountedCollection<Annotation, Count>;

export const annotationStore = (table: string): AnnotationStore =>
  countedCollection(table, {
    prefix: 'annotation',
    name: 'annotations',
    shape: Annotation,
    ...headWithCount,
  });

export interface AnnotationReader {
  /** All of a tenant, in the order of their ids. */
  readonly list: (tenantId: string) => Promise<Annotation[]>;
}

export const annotationReader = (table: string): AnnotationReader => ({
  list: (tenantId) => annotationStore(table).list(tenantId, { descending: true, limit: ANNOTATIONS_MAXIMUM }),
});
