import { expect, it } from "vitest";
import { categories } from "../schemas/incident.ts";
import { readStarterIncidents } from "./read-starter-incidents.ts";

const incidents = readStarterIncidents();

it("ships at least sixty incidents with unique ids", () => {
  expect(incidents.length).toBeGreaterThanOrEqual(60);
  expect(new Set(incidents.map((incident) => incident.id)).size).toBe(incidents.length);
});

it("covers every category, and says how each incident looked, was caused and was resolved", () => {
  expect(new Set(incidents.map((incident) => incident.category))).toEqual(new Set(categories));
  for (const incident of incidents) {
    expect(incident.symptoms, incident.id).not.toHaveLength(0);
    expect(incident.templates, incident.id).not.toHaveLength(0);
    expect(incident.errors, incident.id).not.toHaveLength(0);
    expect(incident.entities, incident.id).not.toHaveLength(0);
    expect(incident.resolution, incident.id).not.toHaveLength(0);
    expect(incident.context, incident.id).toEqual({});
  }
});

it("gives every faulty incident a causal chain that ends in one of its errors", () => {
  for (const incident of incidents.filter(({ category }) => category !== "none")) {
    const ends = incident.chain.map((link) => link.effect);
    expect(
      incident.errors.some((error) => ends.includes(error.type)),
      incident.id,
    ).toBe(true);
  }
});

it("covers the systems that the specification names", () => {
  const systems = new Set(incidents.map((incident) => incident.system));
  const named = ["hdfs", "hadoop", "openstack", "zookeeper", "kafka", "kubernetes", "postgresql", "mysql", "redis"];
  for (const system of [...named, "mongodb", "network", "linux", "services"]) expect(systems).toContain(system);
});
