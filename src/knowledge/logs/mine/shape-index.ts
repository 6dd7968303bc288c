import { type Cluster, mergeShapes } from "./merge-shapes.ts";
import { MessageShaper, variable } from "../scan/message-shaper.ts";
import { copyText } from "../scan/copy-text.ts";
import { maxScanned } from "../scan/scan-message.ts";
import { type Signature, SignatureCache } from "./signature-cache.ts";
import { Doorkeeper } from "./doorkeeper.ts";
import { joinSlot, createSlots, observe, type Slot } from "./slot.ts";

/** What callers keep for each shape: made with the shape, and joined when shapes are. */
export type Payload<D> = { create(): D; join(into: D, from: D): void };

/** Messages that are equal but for their variable parts. */
export type Shape<D = unknown> = {
  id: number;
  count: number;
  sample: string;
  /** The sample's words, delimiters and variable marks; words that joining made variable are marks too. */
  elements: string[];
  slots: Slot[];
  /** How many slots can still change what is known of them. */
  open: number;
  /** True when its messages tell of trouble, so that more of them are looked at closely. */
  troubled: boolean;
  data: D;
};

/** The shapes whose messages hash alike. */
type Known<D> = { check: number; shape: Shape<D>; next: Known<D> | undefined };

/** Shapes kept at most; when there are more, those that are one template are joined, then the rarest ones. */
export const maxShapes = 10_000;
/** Text without templates is known early: so many shapes, and hardly more messages than shapes. Fewer of them are kept then. */
const fewShapes = 2_000;
const fewRepeats = 1.25;
/** A little more than is scanned, so that the tail of a longer message is in its sample. */
const maxSample = maxScanned + 16;

/** Groups messages by shape as they come, in bounded memory. */
export class ShapeIndex<D> {
  /** Describes the message that was added last. */
  readonly shaper = new MessageShaper();
  /** How many messages the last one stands for; 0 when its elements were not looked at. */
  weight = 1;
  private readonly signatures = new SignatureCache<Shape<D>>();
  private shapes: Shape<D>[] = [];
  private parents: number[] = [];
  private general = new Map<string, Shape<D>[]>();
  private readonly byHash = new Map<number, Known<D>>();
  private size = 0;
  /** True once there were more shapes than can be kept: from then on a message that fits none must come twice to be one. */
  private overflowing = false;
  private readonly doorkeeper = new Doorkeeper();
  /** The shape of everything else of a length. */
  private readonly rest = new Map<number, Shape<D>>();
  private readonly payload: Payload<D>;
  private limit: number;
  private messages = 0;

  constructor(payload: Payload<D>, limit = maxShapes) {
    this.payload = payload;
    this.limit = limit;
  }

  /** Adds a message and returns the shape that it belongs to. */
  add(message: string, troubled = false): Shape<D> {
    this.messages += 1;
    const signature = this.signatures.find(message);
    if (signature !== undefined) return this.addKnown(signature, message, troubled);
    const { shaper } = this;
    shaper.shape(message);
    const shape = this.find(shaper.hash, shaper.check) ?? this.findOrCreate(message);
    this.weight = 1;
    shape.count += 1;
    if (shape.open > 0 && shape.count > 1) observe(shape, message, shaper);
    this.signatures.remember(shape);
    return shape;
  }

  /** A message that differs from one before in digits only has its shape; looking at it closely only adds detail. */
  private addKnown(signature: Signature<Shape<D>>, message: string, troubled: boolean): Shape<D> {
    const { shape } = signature;
    signature.count += 1;
    shape.count += 1;
    this.weight = weighMessage(signature.count, troubled || shape.troubled);
    if (this.weight === 0) return shape;
    const { shaper } = this;
    shaper.shape(message);
    if (this.find(shaper.hash, shaper.check) !== shape) this.weight = 0;
    else if (shape.open > 0) observe(shape, message, shaper);
    return shape;
  }

  private find(hash: number, check: number): Shape<D> | undefined {
    let known = this.byHash.get(hash);
    while (known !== undefined && known.check !== check) known = known.next;
    return known?.shape;
  }

  private remember(hash: number, check: number, shape: Shape<D>): void {
    this.byHash.set(hash, { check, shape, next: this.byHash.get(hash) });
    this.size += 1;
  }

  /** The shapes that are left after joining. */
  all(): readonly Shape<D>[] {
    return this.shapes;
  }

  /** The shape that an id handed out earlier has become part of. */
  rootOf(id: number): number {
    let root = id;
    while (this.parents[root] !== root) root = this.parents[root] ?? root;
    return root;
  }

  /** Finds the joined shape of a message not seen before, or makes a new shape. */
  private findOrCreate(message: string): Shape<D> {
    if (this.shapes.length === fewShapes && this.messages < fewRepeats * fewShapes)
      this.limit = Math.min(this.limit, fewShapes);
    if (this.shapes.length >= this.limit || this.size >= 8 * this.limit) this.squeeze();
    const { hash, check } = this.shaper;
    const elements = this.shaper.listTexts();
    const known = this.match(elements);
    const other = known === undefined && this.overflowing && !this.doorkeeper.hasSeen(hash ^ check);
    const rest = other ? this.rest.get(elements.length) : undefined;
    if (rest !== undefined) return rest;
    const shape = known ?? this.create(elements, message);
    this.remember(hash, check, shape);
    return shape;
  }

  /** The joined shape whose fixed elements these are, the one that fixes most first. */
  private match(elements: readonly string[]): Shape<D> | undefined {
    if (this.general.size === 0) return undefined;
    const fits = ({ elements: listTexts }: Shape<D>) =>
      listTexts.every((text, place) => text === variable || text === elements[place]);
    const found = this.general.get(bucketKeyOf(elements))?.find(fits);
    return found ?? this.general.get(`${elements.length}`)?.find(fits);
  }

  private create(elements: readonly string[], message: string): Shape<D> {
    const sample = copyText(message.slice(0, maxSample));
    const id = this.parents.push(this.parents.length) - 1;
    const slots = createSlots(sample, this.shaper);
    const data = this.payload.create();
    const shape = {
      id,
      count: 0,
      sample,
      elements: elements.map(copyText),
      slots,
      open: slots.length,
      troubled: false,
      data,
    };
    this.shapes.push(shape);
    return shape;
  }

  /** Makes room: joins shapes that are one template; if that is not enough, the rarest by first word and length. */
  private squeeze(): void {
    this.joinClusters(mergeShapes(this.shapes));
    if (this.shapes.length > this.limit / 2) this.joinRarest();
    this.byHash.clear();
    this.signatures.clear();
    this.size = 0;
    const [joined, rest] = [this.shapes.filter(hasFixed), this.shapes.filter((shape) => !hasFixed(shape))];
    this.rest.clear();
    for (const shape of rest) this.rest.set(shape.elements.length, shape);
    this.general = Map.groupBy(joined.toSorted(compareFixed), ({ elements }) => bucketKeyOf(elements));
  }

  private joinClusters(clusters: readonly Cluster[]): void {
    this.shapes = clusters.flatMap((cluster) => {
      const root = this.shapes[cluster.representative];
      if (root === undefined) return [];
      for (const place of listVariablePlaces(cluster)) root.elements[place] = variable;
      for (const member of cluster.members) this.absorb(root, this.shapes[member]);
      return [root];
    });
  }

  private joinRarest(): void {
    const ranked = this.shapes.toSorted((a, b) => b.count - a.count || a.id - b.id);
    const kept = ranked.slice(0, this.limit / 4);
    const rest = Map.groupBy(ranked.slice(this.limit / 4), (shape) => shape.elements.length);
    for (const group of rest.values()) {
      const [root, ...others] = group;
      if (root === undefined) continue;
      root.elements = root.elements.map(() => variable);
      for (const other of others) this.absorb(root, other);
      root.slots = [];
      root.open = 0;
      kept.push(root);
    }
    this.overflowing = true;
    this.shapes = kept;
  }

  private absorb(root: Shape<D>, other: Shape<D> | undefined): void {
    if (other === undefined || other === root) return;
    this.parents[other.id] = root.id;
    root.count += other.count;
    root.slots = root.slots.filter((slot) => {
      const theirs = other.slots.find(({ place }) => place === slot.place);
      if (theirs) joinSlot(slot, theirs);
      return theirs !== undefined;
    });
    this.payload.join(root.data, other.data);
  }
}

/** Messages of one signature looked at one by one (troubled ones longer); after that every eighth stands for eight. */
const closeUpTo = 256;
const troubledUpTo = 1024;

function weighMessage(count: number, troubled: boolean): number {
  if (count <= (troubled ? troubledUpTo : closeUpTo)) return 1;
  return count % 8 === 0 ? 8 : 0;
}

/** The elements of the representative that a cluster made variable. */
function listVariablePlaces(cluster: Cluster): number[] {
  return cluster.elements.flatMap((element) => {
    if (element.text !== variable && !element.fold) return [];
    const { first, last } = element.fold ?? element;
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

function isFixed(text: string): boolean {
  return text !== variable;
}

function hasFixed({ elements }: Shape): boolean {
  return elements.some(isFixed);
}

function compareFixed(a: Shape, b: Shape): number {
  return b.elements.filter(isFixed).length - a.elements.filter(isFixed).length || a.id - b.id;
}

/** Shapes can only match when they have the same length and, unless it varies, the same first element. */
function bucketKeyOf(elements: readonly string[]): string {
  return elements[0] === variable ? `${elements.length}` : `${elements.length} ${elements[0]}`;
}
