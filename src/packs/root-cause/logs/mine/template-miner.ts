import { mergeShapes } from "./merge-shapes.ts";
import { elementsOfKey, type Shape, ShapeTable } from "./shape-table.ts";
import { templateText } from "./template-text.ts";

/** One mined template; `id` is `T1`, `T2`… by first appearance. */
export type MinedTemplate = { id: string; template: string; count: number; sample: string };

/** The result of mining: the templates, and which of them each shape (by its id) became. */
export type MinedTemplates = { templates: MinedTemplate[]; templateOfShape: Int32Array };

/** Mines templates in one pass (root-cause §2): `add` each message, then `finish` joins shapes into templates. */
export class TemplateMiner {
  private readonly table = new ShapeTable();

  /** Returns the id of the message's shape, which `finish` maps to a template. */
  add(message: string): number {
    return this.table.add(message).id;
  }

  finish(): MinedTemplates {
    const { shapes } = this.table;
    const clusters = mergeShapes(shapes.map(({ key, count }: Shape) => ({ elements: elementsOfKey(key), count })));
    for (const cluster of clusters) cluster.members.sort((a, b) => a - b);
    clusters.sort((a, b) => (a.members[0] ?? 0) - (b.members[0] ?? 0));
    const templateOfShape = new Int32Array(shapes.length);
    const templates = clusters.map((cluster, index): MinedTemplate => {
      for (const member of cluster.members) templateOfShape[member] = index;
      const sample = shapes[cluster.representative]?.sample ?? "";
      return { id: `T${index + 1}`, template: templateText(cluster, shapes), count: cluster.count, sample };
    });
    return { templates, templateOfShape };
  }
}
