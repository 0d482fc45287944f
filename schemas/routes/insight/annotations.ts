import * as z from 'zod';
import { ANNOTATIONS_MAXIMUM, Annotation, AnnotationRequest } from '../../insight/annotations.ts';
import { Cursor, PageLimit, pageOf } from '../../page.ts';
import { route } from '../route.ts';

const LANE = 'A credential bound to a residency lane sees and writes those of that lane only.';

export const createAnnotation = route({
  method: 'POST',
  path: '/api/v1/annotations',
  operation: 'createAnnotation',
  limits: { resources: ANNOTATIONS_MAXIMUM },
  authority: { effect: 'settings', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Note on a day what happened, such as a release',
  description: `Charts over time show it. The same text of the same day has the same id. A tenant can have ${ANNOTATIONS_MAXIMUM}; beyond that the response is VALIDATION_FAILED. ${LANE}`,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['annotations.write'],
  body: { kind: 'json', schema: AnnotationRequest, maxBytes: 4_096 },
  audit: 'annotation.create',
  replies: { 200: { description: 'The annotation', body: Annotation } },
});

export const listAnnotations = route({
  method: 'GET',
  path: '/api/v1/annotations',
  operation: 'listAnnotations',
  authority: { effect: 'none', reveals: [], lanes: 'own' },
  unit: 'budgets',
  summary: 'List annotations',
  description: `In the order of their ids. ${LANE}`,
  access: 'read:reporting',
  discloses: 'none',
  rate: 'read',
  needs: ['annotations.read', 'cursor.derive'],
  query: z.strictObject({ cursor: Cursor.optional(), limit: PageLimit.optional() }),
  replies: { 200: { description: 'A page of annotations', body: pageOf(Annotation, 'AnnotationPage') } },
});

export const deleteAnnotation = route({
  method: 'DELETE',
  path: '/api/v1/annotations/{id}',
  operation: 'deleteAnnotation',
  authority: { effect: 'deletion', reveals: ['read:reporting'], lanes: 'own' },
  unit: 'budgets',
  summary: 'Delete an annotation',
  description: LANE,
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'write',
  needs: ['annotations.write'],
  ids: { id: 'ann' },
  audit: 'annotation.delete',
  replies: { 204: { description: 'It does not exist' } },
});

export const annotationRoutes = [createAnnotation, listAnnotations, deleteAnnotation] as const;
