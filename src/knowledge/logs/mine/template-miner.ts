import type { MergeSettings } from "./merge-settings.ts";
import { mergeShapes } from "./merge-shapes.ts";
import { MessageShaper } from "../scan/message-shaper.ts";
import { type Payload, type Shape, ShapeIndex } from "./shape-index.ts";
import { writeTemplate } from "./write-template.ts";

/** One mined template with the shapes that it is made of. */
export type MinedTemplate<D> = { template: string; count: number; sample: string; shapes: readonly Shape<D>[] };

/** The result of mining: the templates, and which of them a shape id handed out by `add` became. */
export type MinedTemplates<D> = { templates: MinedTemplate<D>[]; templateOf(shapeId: number): number };

/**
 * Mines templates in one pass and bounded memory (root-cause spec §2.3), in the manner of Drain: messages are masked and put
 * into groups of equal shape at once; `finish` joins the groups by what their differences look like.
 */
export class TemplateMiner<D = null> {
  private readonly table: ShapeIndex<D>;

  private readonly settings: MergeSettings | undefined;

  constructor(payload: Payload<D>, maxShapes?: number, settings?: MergeSettings) {
    this.table = new ShapeIndex(payload, maxShapes);
    this.settings = settings;
  }

  /** Returns the shape of a message, whose id `finish` maps to a template; `troubled` ones are looked at more closely. */
  add(message: string, troubled = false): Shape<D> {
    return this.table.add(message, troubled);
  }

  /** How many messages the last one stands for in counts of its parts; 0 when its elements were not looked at. */
  get weight(): number {
    return this.table.weight;
  }

  /** Where the elements of the last message are, unless its weight is 0. */
  get elements(): MessageShaper {
    return this.table.shaper;
  }

  finish(): MinedTemplates<D> {
    const shapes = this.table.all();
    const clusters = mergeShapes(shapes, this.settings);
    const place = new Map<number, number>();
    const elements = new MessageShaper();
    for (const cluster of clusters) cluster.members.sort((a, b) => idOf(shapes, a) - idOf(shapes, b));
    clusters.sort((a, b) => idOf(shapes, a.members[0]) - idOf(shapes, b.members[0]));
    const templates = clusters.map((cluster, index): MinedTemplate<D> => {
      const members = cluster.members.flatMap((member) => shapes[member] ?? []);
      for (const shape of members) place.set(shape.id, index);
      const sample = shapes[cluster.representative]?.sample ?? "";
      return { template: writeTemplate(cluster, shapes, elements), count: cluster.count, sample, shapes: members };
    });
    return { templates, templateOf: (id) => place.get(this.table.rootOf(id)) ?? 0 };
  }
}

function idOf(shapes: readonly Shape[], index: number | undefined): number {
  return shapes[index ?? -1]?.id ?? 0;
}

/** A miner whose shapes carry nothing. */
export function createPlainMiner(maxShapes?: number, settings?: MergeSettings): TemplateMiner {
  return new TemplateMiner({ create: () => null, join: () => {} }, maxShapes, settings);
}
