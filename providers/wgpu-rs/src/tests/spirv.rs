//! The SPIR-V that we make ourselves.

use std::collections::HashMap;

use super::support::*;
use crate::abi;
use crate::buffer::wgpuBufferRelease;
use crate::pipeline::*;
use crate::spirv::{compile, ordered};

const MATRICES: &str = "enable f16;
enable wgpu_cooperative_matrix;
@group(0) @binding(0) var<storage, read_write> data: array<vec4<f16>>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
var<workgroup> tile: array<vec4<f16>, 64>;
var<workgroup> result: array<vec4<f32>, 64>;
@compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
  tile[i] = data[i];
  workgroupBarrier();
  let a = coopLoadT<coop_mat8x8<f16, A>>(&tile[0], 2u);
  let b = coopLoad<coop_mat8x8<f16, B>>(&tile[16], 2u);
  let at = 0u;
  coopStoreT(coopMultiplyAdd(a, b, coop_mat8x8<f32, C>()), &result[at], 2u);
  subgroupBarrier();
  sums[i] = result[i / 4u][i % 4u];
}";

const LOOP: &str = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> kept: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
  for (var j = 0u; j < data[0]; j++) { kept[i] += data[j]; }
  data[i] = kept[i];
}";

const ZEROS: &str = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> kept: array<u32, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) { data[i] = kept[63u - i] + 7u; }";

struct Instruction {
    op: u32,
    words: Vec<u32>,
}

fn parse(words: &[u32]) -> Vec<Instruction> {
    let mut all = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let count = (words[at] >> 16) as usize;
        assert!(count > 0 && at + count <= words.len(), "an instruction of {count} words at {at} of {}", words.len());
        all.push(Instruction { op: words[at] & 0xffff, words: words[at..at + count].to_vec() });
        at += count;
    }
    all
}

fn words(code: &str, checks: u64) -> Vec<u32> {
    let features = wgpu::Features::SUBGROUP;
    compile(code, checks, features).expect("it compiles").descriptor(None).spirv.expect("it is there").into_owned()
}

#[test]
fn barriers_order_what_matrices_read() {
    let words = words(MATRICES, 0);
    let all = parse(&words);
    let constants: HashMap<u32, u32> =
        all.iter().filter(|i| i.op == 43 && i.words.len() == 4).map(|i| (i.words[2], i.words[3])).collect();
    let with = |op: u32, length: usize| {
        let found: Vec<_> = all.iter().filter(|i| i.op == op).collect();
        assert!(!found.is_empty(), "there is no instruction {op}");
        for i in found {
            assert_eq!((i.words.len(), i.words[length] & 0x20), (length + 1, 0x20), "instruction {op}");
        }
    };
    with(4457, 6);
    with(4458, 5);
    assert!(
        all.iter().any(|i| i.op == 62 && i.words.len() == 4 && i.words[3] == 0x20),
        "stores to the tile are shared"
    );
    // No barrier speaks of buffers: what is read there stays the invocation's own, and may move.
    assert!(all.iter().any(|i| i.op == 61 && i.words.len() == 4));
    let barriers: Vec<u32> = all.iter().filter(|i| i.op == 224).map(|i| constants[&i.words[3]]).collect();
    assert_eq!(barriers.len(), 2);
    for semantics in barriers {
        assert_eq!(semantics & 0x6100, 0x6100, "{semantics:#x}: made available and visible, of the workgroup's memory");
        assert_eq!(semantics & 0x80, 0, "{semantics:#x}: not the subgroup's");
    }
    let largest = constants.keys().max().copied().unwrap_or(0);
    assert!(words[3] > largest, "the bound {} is above {largest}", words[3]);
}

#[test]
fn texts_without_matrices_stay_as_they_are() {
    let made = words(LOOP, 0);
    assert_eq!(ordered(made.clone()), made);
}

#[test]
fn checks_are_there_when_asked_for() {
    let plain = words(LOOP, 0).len();
    for check in [abi::CHECK_BOUNDS, abi::CHECK_LOOPS, abi::CHECK_ZERO_FILL] {
        assert!(words(LOOP, check).len() > plain, "{check}");
    }
}

#[test]
fn wrong_texts_are_left_to_wgpu() {
    assert!(compile("fn main(", 0, wgpu::Features::empty()).is_none());
    assert!(compile("override n: u32; @compute @workgroup_size(n) fn main() {}", 0, wgpu::Features::empty()).is_none());
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let module = gpu.trusted_shader("fn main(", 0);
        gpu.expect_error("main");
        wgpuShaderModuleRelease(module);
    }
}

#[test]
fn a_trusted_kernel_finds_zeros_where_it_asked_for_them() {
    let Some(gpu) = Gpu::new() else { return };
    unsafe {
        let module = gpu.trusted_shader(ZEROS, abi::CHECK_ZERO_FILL);
        let layout = gpu.bind_layout(&[abi::BINDING_STORAGE]);
        let buffer = gpu.buffer(256, STORAGE | COPY_SRC);
        let group = gpu.bind(layout, buffer, 0, abi::WHOLE_SIZE);
        let pipeline = gpu.pipeline(module, layout, false);
        gpu.dispatch(pipeline, group, 1);
        assert_eq!(gpu.read(buffer, 64), vec![7; 64]);
        gpu.expect_no_error();
        wgpuComputePipelineRelease(pipeline);
        wgpuBindGroupRelease(group);
        wgpuBufferRelease(buffer);
        wgpuBindGroupLayoutRelease(layout);
        wgpuShaderModuleRelease(module);
    }
}
